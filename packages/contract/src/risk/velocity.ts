/** Counted values of velocity limits, each within a window, per merchant and mode. */
export const velocityKinds = [
  'card_declines',
  'card_amount',
  'payer_cards',
  'merchant_declines',
] as const;
export type VelocityKind = (typeof velocityKinds)[number];

/** Range of a window, in seconds. */
export const VELOCITY_WINDOW = { min: 60, max: 24 * 60 * 60 } as const;
/** Maximum active limits per merchant and mode. */
export const VELOCITY_LIMITS_MAX = 20;

export interface VelocityLimit {
  /** Null for platform limits. */
  readonly id: string | null;
  readonly kind: VelocityKind;
  readonly window_seconds: number;
  /** Allowed declines, cards, or minor units of `amount_currency`, including the payment in question. */
  readonly max_count: number;
  readonly amount_currency: string | null;
  /** Counts customers' payments in progress as declines: otherwise many concurrent payments would all pass. */
  readonly counts_open?: boolean;
}

/**
 * Limits of every merchant. A card with that many declines is being tested by a thief. The sandbox has none, because
 * its test cards are declined all day.
 */
export const platformVelocity: Readonly<Record<'live' | 'sandbox', readonly VelocityLimit[]>> = {
  live: [
    {
      id: null,
      kind: 'card_declines',
      window_seconds: 60 * 60,
      max_count: 10,
      amount_currency: null,
      counts_open: true,
    },
  ],
  sandbox: [],
};
