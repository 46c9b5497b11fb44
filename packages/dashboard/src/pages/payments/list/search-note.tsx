import type { PaymentSearchMeta } from '@florin/contract/search.ts';
import { Text } from '@mantine/core';
import { useList } from '../../../api/list.ts';
import type { Parameters } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/use-texts.ts';

/** Says what the search of the list compared, and whether more may match. Reads the same pages as the list. */
export function SearchNote({ parameters }: { readonly parameters: Parameters }) {
  const t = useTexts('payments');
  const { data } = useList('payment_demands', parameters);
  const metas = data?.pages.map(({ meta }) => meta?.search as PaymentSearchMeta | undefined);
  const kinds = metas?.[0]?.by.map((kind) => t(`search_${kind}`)).join(', ');
  if (!kinds) return null;
  return (
    <Text size="sm" c="dimmed" role="status">
      {t('searched_as', { kinds })}{' '}
      {metas?.some((meta) => meta?.is_complete === false) && t('found_incomplete')}
    </Text>
  );
}
