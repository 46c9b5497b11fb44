import type { PaymentTab } from '@florin/contract/payment-tabs.ts';
import { Stack, Text } from '@mantine/core';
import { useTexts } from '../../../i18n/use-texts.ts';
import { EmptyState } from '../../../parts/feedback/empty-state.tsx';
import { Loading } from '../../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { recordPath } from '../../../parts/page/record-path.ts';
import { wholeList } from '../../../parts/table/use-list-window.ts';
import { VirtualTable } from '../../../parts/table/virtual-table.tsx';
import { usePaymentColumns, usePaymentInclude } from '../payment-columns.tsx';
import { usePaymentSearch } from './use-payment-search.ts';

interface Props {
  readonly text: string;
  readonly tab: PaymentTab;
}

/** Payments of a tab that match a text, with the interpretation that found them. */
export function SearchResults({ text, tab }: Props) {
  const t = useTexts('payments');
  const columns = usePaymentColumns();
  const search = usePaymentSearch({ text, tab, include: usePaymentInclude() });
  const names = search.searches.map(({ kind }) => t(`search_${kind}`));
  const kinds = [...new Set(names)].join(', ');
  const count = search.payments.length;
  if (search.error) return <ProblemAlert error={search.error} onRetry={search.retry} />;
  if (search.isPending) return <Loading />;
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {t.count('found', count)} {t('searched_as', { kinds })}{' '}
        {search.hasMore && t(search.isIncomplete ? 'found_incomplete' : 'found_more')}
      </Text>
      {count === 0 ? (
        <EmptyState title={t('found_none')} hint={t('found_none_hint')} />
      ) : (
        <VirtualTable
          label={t('payments')}
          columns={columns.map(({ sort: _sort, ...column }) => column)}
          rows={wholeList(search.payments, search.included)}
          sort=""
          onSort={() => {}}
          to={(id) => recordPath('payment_demands', id)}
        />
      )}
    </Stack>
  );
}
