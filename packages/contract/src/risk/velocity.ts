/** Values that velocity limits count, within a window, per merchant and mode. */
export const velocityKinds = [
  'card_declines',
  'card_amount',
  'payer_cards',
  'merchant_declines',
] as const;
export type VelocityKind = (typeof velocityKinds)[number];

/** Shortest and longest window in seconds. */
export const VELOCITY_WINDOW = { min: 60, max: 24 * 60 * 60 } as const;
/** Maximum active limits per merchant and mode. */
export const VELOCITY_LIMITS_MAX = 20;

export interface VelocityLimit {
  /** Null for platform limits. */
  readonly id: string | null;
  readonly kind: VelocityKind;
  readonly window_seconds: number;
  /**
   * Allowed number of declines or cards, or amount in minor units of `amount_currency`. Includes
   * the payment that is checked.
   */
  readonly max_count: number;
  readonly amount_currency: string | null;
  /**
   * Whether customers' payments in progress count as declines. Otherwise, many concurrent payments
   * would all pass.
   */
  readonly counts_open?: boolean;
}

/**
 * Limits of all merchants. Above them, a thief is probably testing the card. The sandbox has none,
 * since its test cards are declined frequently.
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
