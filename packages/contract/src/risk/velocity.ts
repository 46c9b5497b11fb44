/** What a limit of velocity counts, each within its window and within one merchant and mode. */
export const velocityKinds = [
  'card_declines',
  'card_amount',
  'payer_cards',
  'merchant_declines',
] as const;
export type VelocityKind = (typeof velocityKinds)[number];

/** Seconds that a window may have. */
export const VELOCITY_WINDOW = { min: 60, max: 24 * 60 * 60 } as const;
/** Limits that count, of one merchant and mode. */
export const VELOCITY_LIMITS_MAX = 20;

export interface VelocityLimit {
  /** Null for one of the platform. */
  readonly id: string | null;
  readonly kind: VelocityKind;
  readonly window_seconds: number;
  /** Declines, cards, or minor units of `amount_currency`, which the payment that is looked at may reach. */
  readonly max_count: number;
  readonly amount_currency: string | null;
  /** Payments that customers have under way count as declines: else many at once would all be below the limit. */
  readonly counts_open?: boolean;
}

/**
 * The limits of every merchant. A card that is declined so often is being tried out by somebody who does not have it. In
 * the sandbox a few test cards are declined all day, so that there are none.
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
