interface Known {
  readonly available_cents: number;
  readonly unsettled_cents: number;
  /** Smallest payout. */
  readonly least_cents: number;
}

/** Key of a sentence, and the minor units that it names. */
interface Expected {
  readonly kind: 'next_payout' | 'next_payout_ready' | 'next_payout_none';
  readonly cents: number;
}

/** Returns the expected amount of the next payout: what is available, and what is pending. */
export function expectedPayout({ available_cents, unsettled_cents, least_cents }: Known): Expected {
  const cents = available_cents + unsettled_cents;
  if (cents < least_cents) return { kind: 'next_payout_none', cents };
  return { kind: unsettled_cents === 0 ? 'next_payout_ready' : 'next_payout', cents };
}
