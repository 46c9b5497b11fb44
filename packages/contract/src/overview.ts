/** Counts and sums of one day, or of all of them. Amounts are minor units, as text: sums may be larger than a number. */
export interface Figures {
  readonly approved: number;
  readonly declined: number;
  readonly volume_cents: string;
  readonly refunds: number;
  readonly refunded_cents: string;
}

/** What a merchant took in one currency. */
export interface CurrencyFigures extends Figures {
  readonly currency: string;
  /** Days on which something happened, in their order. */
  readonly days: readonly (Figures & { readonly day: string })[];
  /** Decline codes, the most frequent first. */
  readonly declines: readonly { readonly code: string; readonly count: number }[];
}
