/** Payments of a customer that the figures read. With more payments, the figures are minimums. */
export const CUSTOMER_PAYMENTS_MAX = 10_000;

/** Subscriptions of a customer that are counted. */
export const CUSTOMER_SUBSCRIPTIONS_MAX = 1_000;

/** Sums of a customer's payments in one currency. Amounts are minor units as text: sums may exceed a number. */
export interface CustomerAmounts {
  readonly currency: string;
  readonly paid_cents: string;
  readonly refunded_cents: string;
}

/** Figures of a customer's page. A figure that the person may not read is missing. */
export interface CustomerFigures {
  readonly payments?: {
    /** Payments with money that was captured. */
    readonly paid: number;
    /** Payments with a refund. */
    readonly refunded: number;
    /** The currency with the most payments comes first. */
    readonly amounts: readonly CustomerAmounts[];
    /** Whether the customer has more than `CUSTOMER_PAYMENTS_MAX` payments. */
    readonly is_minimum: boolean;
  };
  readonly disputes?: {
    readonly count: number;
    /** Disputes without a decision. */
    readonly open: number;
    readonly is_minimum: boolean;
  };
  readonly subscriptions?: {
    readonly count: number;
    readonly active: number;
    readonly is_minimum: boolean;
  };
}
