import type { PaymentDemandState } from './machines/payment-demand.ts';

/** Tabs of the payments list. `all` leaves out incomplete payments, `refunded` has those with a refund. */
export const paymentTabs = [
  'all',
  'succeeded',
  'refunded',
  'failed',
  'disputed',
  'incomplete',
] as const;
export type PaymentTab = (typeof paymentTabs)[number];

/** States that the tab "All" hides: nobody has paid yet. */
export const incompleteStates = ['incomplete', 'ready'] as const satisfies PaymentDemandState[];

/** Query parameters of the list's address: the tab, and filters as in the interface. */
type Parameters = Readonly<Record<string, string>>;

/** States of the tabs that show states. */
const statesOfTab = {
  succeeded: ['succeeded'],
  failed: ['failed'],
  disputed: ['disputed', 'reversed'],
  incomplete: incompleteStates,
} as const satisfies Partial<Record<PaymentTab, readonly PaymentDemandState[]>>;

/** Filters of the payment's own state, which replace those of the tab "All". */
const STATUS = 'filter[status]';
const valuesOf = (tab: keyof typeof statesOfTab): string => statesOfTab[tab].join(',');

const tabFilters: Readonly<Record<PaymentTab, Parameters>> = {
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

/** Returns the list's filters of a tab. Incomplete payments are hidden unless a filter names states. */
export function tabParameters(search: Parameters): Parameters {
  const tab = tabOf(search);
  const namesStates = Object.keys(search).some((key) => key.startsWith(STATUS));
  return tab === 'all' && namesStates ? {} : tabFilters[tab];
}

/** Returns the changes of the address that open a tab. A filter of states would contradict most tabs. */
export const openTab = (tab: PaymentTab): Parameters => ({
  tab: tab === 'all' ? '' : tab,
  [STATUS]: '',
  [`${STATUS}[ne]`]: '',
});

/** Returns the filters of the list that a tab shows, or would show if somebody opened it. */
export function filtersOfTab(tab: PaymentTab, search: Parameters): Parameters {
  const opened = tab === tabOf(search) ? search : { ...search, ...openTab(tab) };
  const filters = Object.entries(opened).filter(
    ([name, value]) => name.startsWith('filter[') && value !== '',
  );
  const own = Object.fromEntries(filters);
  return { ...own, ...tabParameters({ ...own, tab }) };
}

/** Number of payments up to which a tab is counted. */
export const TAB_COUNT_MAX = 1_000;

export interface TabCount {
  /** At most `TAB_COUNT_MAX`. */
  readonly count: number;
  /** Whether there may be more. */
  readonly is_minimum: boolean;
}

/** Counts by tab. A tab that the person may not read, or that takes too long to count, is missing. */
export type TabCounts = Readonly<Partial<Record<PaymentTab, TabCount>>>;
