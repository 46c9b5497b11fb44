import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useList } from '../../api/list.ts';
import type { Parameters } from '../../api/queries.ts';
import { useCan } from '../../api/scope.ts';
import type { ResourceType } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EmptyState } from '../../parts/feedback/empty-state.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { ScopedLink } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { listPath } from '../../parts/page/record-path.ts';
import { Section } from '../../parts/record/section.tsx';
import { ResourceTable } from '../../parts/table/resource-table.tsx';
import { CurrencyBalance } from './currency-balance.tsx';
import { SettleNow } from './settle-now.tsx';

/** Balances, payouts and settlement exceptions of the merchant. */
export function Balance() {
  const t = useTexts('balance');
  return (
    <>
      <PageTitle title={t('balance')} />
      <Stack gap="lg">
        <Balances />
        <ShortList type="payouts" title={t('payouts')} none={t('payouts_none')}>
          <SettleNow />
        </ShortList>
        <ShortList
          type="settlement_exceptions"
          title={t('exceptions')}
          none={t('exceptions_none')}
          fixed={{ 'filter[status]': 'open' }}
        />
      </Stack>
    </>
  );
}

function Balances() {
  const t = useTexts('balance');
  const list = useList('balances');
  if (list.error) return <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <Loading rows={3} />;
  const balances = list.data.pages.flatMap(({ data }) => data);
  if (balances.length === 0) return <EmptyState title={t('none')} hint={t('none_hint')} />;
  return balances.map((balance) => <CurrencyBalance key={balance.id} balance={balance} />);
}

interface ShortListProps {
  readonly type: ResourceType;
  readonly title: string;
  readonly none: string;
  readonly fixed?: Parameters;
  /** Shown above the records. */
  readonly children?: ReactNode;
}

/** The newest records of a type, with a link to the full list. */
function ShortList({ type, title, none, fixed = {}, children }: ShortListProps): ReactNode {
  const records = useTexts('records');
  const can = useCan();
  if (!can(`transaction.${type}.read`)) return null;
  return (
    <Section
      title={title}
      actions={
        <ScopedLink to={listPath(type)} aria-label={records('show_all_of', { what: title })}>
          {records('show_all')}
        </ScopedLink>
      }
    >
      {children}
      <ResourceTable type={type} label={title} fixed={fixed} empty={none} plain="linked" />
    </Section>
  );
}
