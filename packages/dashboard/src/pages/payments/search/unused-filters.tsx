import type { PaymentTab } from '@florin/contract/payment-tabs.ts';
import { Fieldset, Group, Text } from '@mantine/core';
import type { Parameters } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { isFiltered, paymentFilters } from '../list/payment-filters.tsx';

interface Props {
  /** Address of the list. */
  readonly search: Parameters;
  readonly tab: PaymentTab;
}

/** Filters of the address, disabled: a search ignores them. Nothing without a filter. */
export function UnusedFilters({ search, tab }: Props) {
  const t = useTexts('payments');
  const records = useTexts('records');
  if (!isFiltered(search)) return null;
  const { chips } = paymentFilters({ search, change: () => {}, tab });
  return (
    <>
      <Fieldset disabled variant="unstyled" aria-label={records('filters')}>
        <Group gap="xs">{chips}</Group>
      </Fieldset>
      <Text size="sm">
        {t('search_ignores_filters')} {t('search_tab_counts')}
      </Text>
    </>
  );
}
