/** Result of "Settle now" in a merchant's sandbox. */
export interface SettledOnRequest {
  /** Payments, refunds and lost disputes that were settled. */
  readonly settled_count: number;
  readonly payouts: readonly {
    readonly id: string;
    /** Minor units. */
    readonly amount_cents: number;
    readonly amount_currency: string;
  }[];
  /** Whether more remains: one request settles a limited number. */
  readonly has_more: boolean;
}
