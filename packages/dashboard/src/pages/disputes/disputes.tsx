import type { Parameters } from '../../api/queries.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EmptyState } from '../../parts/feedback/empty-state.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { useAddressSearch } from '../../parts/page/search.ts';
import { listParameters } from '../../parts/table/filter/filters.ts';
import type { OwnFilters } from '../../parts/table/filter/own-filters.ts';
import { ResourceTable } from '../../parts/table/resource-table.tsx';
import { useAmountRowName } from '../../parts/table/usual-columns.tsx';
import { ViewChoice } from '../../parts/table/view-choice.tsx';
import { DateChip } from '../payments/list/chips/date-chip.tsx';
import type { ChipProps } from '../payments/list/chips/types.ts';
import { BEFORE, FROM, PRESET, presetParameters } from '../payments/list/dates.ts';
import { localDay } from '../payments/list/days.ts';
import { useDisputeColumns } from './dispute-columns.tsx';
import { DisputeTotal } from './dispute-total.tsx';
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
    ...presetParameters(search, localDay(new Date())),
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
      <DisputeTotal parameters={{ ...listParameters(search), ...parameters }} />
      <ResourceTable
        type="disputes"
        label={t('disputes')}
        columns={columns}
        fixed={parameters}
        rowName={rowName}
        own={dateFilter({ search, change })}
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

const dateKeys = [PRESET, FROM, BEFORE] as const;

/** Filter by the day of the dispute, as chip. */
const dateFilter = (props: ChipProps): OwnFilters => ({
  chips: <DateChip {...props} isComparable={false} />,
  keys: new Set(dateKeys),
  count: dateKeys.some((key) => props.search[key] !== undefined) ? 1 : 0,
});
