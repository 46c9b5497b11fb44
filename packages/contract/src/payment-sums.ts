/** Approved payments of a list in one currency. */
export interface PaymentSum {
  readonly currency: string;
  readonly approved: number;
  /** Captured minor units, as text: a sum may exceed an exact number. */
  readonly volume_cents: string;
}

/** Sums of the payments of a list. */
export interface PaymentSums {
  readonly currencies: readonly PaymentSum[];
  /** Whether all payments of the list were summed. There may be too many. */
  readonly is_complete: boolean;
}
