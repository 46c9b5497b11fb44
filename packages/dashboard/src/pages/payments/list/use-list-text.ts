import { tabOf } from '@florin/contract/payment-tabs.ts';
import type { Parameters } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { filterCountOf } from './payment-filters.tsx';

/** Returns what restricts the list, such as "“ada”, Failed, 2 filters". Empty for the list of all payments. */
export function useListText(search: Parameters): string {
  const t = useTexts('payments');
  const tab = tabOf(search);
  const filters = filterCountOf(search);
  return [
    search.q && t('listed_search', { text: search.q }),
    tab !== 'all' && t(`tab_${tab}`),
    filters > 0 && t.count('listed_filters', filters),
  ]
    .filter(Boolean)
    .join(', ');
}
