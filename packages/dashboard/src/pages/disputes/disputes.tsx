import { useMemo } from 'react';
import type { Parameters } from '../../api/queries.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EmptyState } from '../../parts/feedback/empty-state.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { useAddressSearch } from '../../parts/page/search.ts';
import type { Column } from '../../parts/table/column.ts';
import { ResourceTable } from '../../parts/table/resource-table.tsx';
import { payerColumn, useAmountRowName } from '../../parts/table/usual-columns.tsx';
import { ViewChoice } from '../../parts/table/view-choice.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { Money } from '../../parts/value/money.tsx';
import { StateBadge } from '../../parts/value/state-badge.tsx';
import { Deadline } from './deadline.tsx';
import { PAYER, usePayerInclude } from './disputed-payer.ts';

/** Views of the list. Disputes that need a response come first, most urgent on top. */
const views = {
  open: { 'filter[status]': 'needs_response', sort: 'evidence_due_at' },
  review: { 'filter[status]': 'under_review' },
  closed: { 'filter[status]': 'accepted,won,lost' },
  all: {},
} as const satisfies Record<string, Parameters>;

type View = keyof typeof views;
const names = Object.keys(views) as View[];

/** Disputes with their deadlines. */
export function Disputes() {
  const t = useTexts('disputes');
  const [search, change] = useAddressSearch();
  const columns = useDisputeColumns();
  const rowName = useAmountRowName<'disputes'>({ of: 'dispute_of', by: 'dispute_by' }, PAYER);
  const shownView = names.find((view) => view === search.view) ?? 'open';
  const include = usePayerInclude();
  const parameters: Parameters = {
    ...views[shownView],
    ...(search.sort && { sort: search.sort }),
    ...(include && { include }),
  };
  return (
    <>
      <PageTitle title={t('disputes')} />
      <ViewChoice
        label={t('view')}
        shown={shownView}
        choose={(view) => change({ view })}
        views={names.map((view) => ({ value: view, label: t(`view_${view}`) }))}
      />
      <ResourceTable
        type="disputes"
        label={t('disputes')}
        columns={columns}
        fixed={parameters}
        rowName={rowName}
        empty={
          <EmptyState
            title={t(shownView === 'open' ? 'none_open' : 'none')}
            hint={t(shownView === 'open' ? 'none_open_hint' : 'none_hint')}
          />
        }
      />
    </>
  );
}

function useDisputeColumns(): Column<'disputes'>[] {
  const namesOfCodes = useNames();
  return useMemo(
    () => [
      {
        key: 'amount_cents',
        title: namesOfCodes.field('amount_cents'),
        sort: 'amount_cents',
        cell: ({ attributes: { amount_cents, amount_currency } }) => (
          <Money cents={amount_cents} currency={amount_currency} />
        ),
      },
      {
        key: 'status',
        title: namesOfCodes.field('status'),
        sort: 'status',
        cell: ({ attributes }) => <StateBadge state={attributes.status} />,
      },
      payerColumn(namesOfCodes, PAYER),
      {
        key: 'reason',
        title: namesOfCodes.field('reason'),
        sort: 'reason',
        cell: ({ attributes }) => namesOfCodes.value(attributes.reason),
      },
      {
        key: 'evidence_due_at',
        title: namesOfCodes.field('evidence_due_at'),
        sort: 'evidence_due_at',
        cell: (dispute) => <Deadline dispute={dispute} />,
      },
      {
        key: 'created_at',
        title: namesOfCodes.field('created_at'),
        sort: 'created_at',
        cell: ({ attributes: { created_at } }) => created_at && <Instant at={created_at} />,
      },
    ],
    [namesOfCodes],
  );
}
