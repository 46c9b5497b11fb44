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

/** States of the tabs that show states. */
export const statesOfTab = {
  succeeded: ['succeeded'],
  failed: ['failed'],
  disputed: ['disputed', 'reversed'],
  incomplete: ['incomplete', 'ready'],
} as const satisfies Partial<Record<PaymentTab, readonly PaymentDemandState[]>>;

/** Number of payments up to which a tab is counted. */
export const TAB_COUNT_MAX = 1_000;

export interface TabCount {
  /** At most `TAB_COUNT_MAX`. */
  readonly count: number;
  /** Whether there may be more. */
  readonly is_minimum: boolean;
}

/** Counts by tab. A tab that the person may not read is missing. */
export type TabCounts = Readonly<Partial<Record<PaymentTab, TabCount>>>;
