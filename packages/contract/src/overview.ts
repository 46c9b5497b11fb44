/** Longest range of an overview in days (a leap year). */
export const SPAN_DAYS_MAX = 366;

/**
 * Counts and sums of one day or of all days. Amounts are minor units as text, since sums may exceed
 * a number.
 */
export interface Figures {
  readonly approved: number;
  readonly declined: number;
  readonly volume_cents: string;
  readonly refunds: number;
  readonly refunded_cents: string;
}

export interface CurrencyFigures extends Figures {
  readonly currency: string;
  /** Days with activity, in order. */
  readonly days: readonly (Figures & { readonly day: string })[];
  /** Decline codes, most frequent first. */
  readonly declines: readonly { readonly code: string; readonly count: number }[];
}
