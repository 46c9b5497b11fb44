import type { PaymentTab, TabCounts } from '@florin/contract/payment-tabs.ts';
import { Text } from '@mantine/core';
import { type Parameters, useDashboard } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { presetParameters } from './dates.ts';
import { localDay } from './days.ts';
import { TabBar, type TabProps } from './tab-bar.tsx';

interface Props extends TabProps {
  /** Address of the list. */
  readonly search: Parameters;
}

/** Tabs with the number of payments under the list's search and filters. */
export function ListTabs({ search, ...tabs }: Props) {
  const query = queryOfList({ ...search, ...presetParameters(search, localDay(new Date())) });
  const { data = {} } = useDashboard<TabCounts>(`payments/counts${query && `?${query}`}`);
  return <TabBar {...tabs} counts={data} />;
}

/** Query of the list's tab, search and filters, without its order. */
export const queryOfList = (parameters: Parameters): string =>
  new URLSearchParams(
    Object.entries(parameters)
      .filter(([name]) => name === 'tab' || name === 'q' || name.startsWith('filter['))
      .toSorted(),
  ).toString();

/** Says which payments a tab leaves out, and which other tabs have its payments too. */
export function TabHint({ shown }: { readonly shown: PaymentTab }) {
  const t = useTexts('payments');
  if (shown !== 'all' && shown !== 'succeeded' && shown !== 'refunded') return null;
  return (
    <Text size="sm" c="dimmed">
      {t(`tab_hint_${shown}`)}
    </Text>
  );
}
