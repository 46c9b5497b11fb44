import { type PaymentTab, paymentTabs, statesOfTab } from '@florin/contract/payment-tabs.ts';
import type { Parameters } from '../../../api/queries.ts';

/** Filters of the payment's own state, which replace those of the tab "All". */
const STATUS = 'filter[status]';
const valuesOf = (tab: keyof typeof statesOfTab): string => statesOfTab[tab].join(',');

const filters: Readonly<Record<PaymentTab, Parameters>> = {
  all: { [`${STATUS}[ne]`]: valuesOf('incomplete') },
  succeeded: { [STATUS]: valuesOf('succeeded') },
  refunded: { 'filter[refund_demands.status]': 'succeeded' },
  failed: { [STATUS]: valuesOf('failed') },
  disputed: { [STATUS]: valuesOf('disputed') },
  incomplete: { [STATUS]: valuesOf('incomplete') },
};

/** Returns the tab that an address names, or all payments. */
export const tabOf = ({ tab }: Parameters): PaymentTab =>
  paymentTabs.find((it) => it === tab) ?? 'all';

/** Whether the tab leaves a choice of states. */
export const hasStates = (tab: PaymentTab): boolean => tab === 'all' || tab === 'refunded';

/** Returns the list's parameters of a tab. Incomplete payments are hidden unless a filter names states. */
export function tabParameters(search: Parameters): Parameters {
  const tab = tabOf(search);
  const namesStates = Object.keys(search).some((key) => key.startsWith(STATUS));
  return tab === 'all' && namesStates ? {} : filters[tab];
}

/** Returns the changes of the address that open a tab. A filter of states would contradict most tabs. */
export const openTab = (tab: PaymentTab): Parameters => ({
  tab: tab === 'all' ? '' : tab,
  [STATUS]: '',
  [`${STATUS}[ne]`]: '',
});
