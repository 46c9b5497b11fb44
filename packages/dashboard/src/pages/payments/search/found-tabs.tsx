import { isInTab, paymentTabs, type TabCounts } from '@florin/contract/payment-tabs.ts';
import { TabBar, type TabProps } from '../list/tab-bar.tsx';
import { usePaymentInclude } from '../payment-columns.tsx';
import { usePaymentSearch } from './use-payment-search.ts';

/** Tabs with the number of payments that a search found. */
export function FoundTabs({ text, ...tabs }: TabProps & { readonly text: string }) {
  const found = usePaymentSearch({ text, tab: 'all', include: usePaymentInclude() });
  return <TabBar {...tabs} counts={found.isPending || found.error ? {} : countsOf(found)} />;
}

/** Counts found payments by tab. A tab without any is left out where more payments match than were read. */
function countsOf({ payments, hasMore }: ReturnType<typeof usePaymentSearch>): TabCounts {
  const counted = paymentTabs.map((tab) => {
    const count = payments.filter(({ attributes }) => isInTab(tab, attributes)).length;
    return [tab, { count, is_minimum: hasMore }] as const;
  });
  return Object.fromEntries(counted.filter(([, { count }]) => count > 0 || !hasMore));
}
