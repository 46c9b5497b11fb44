import type { MerchantStatus } from '@florin/contract/merchant-status.ts';
import type { OwnLimits } from '@florin/contract/risk/amounts.ts';

/** What a merchant wants of 3-D Secure: results must be there, are used when there, or are not looked at. */
export type ThreeDSecurePolicy = 'required' | 'when_available' | 'off';

/** Settings of a merchant that its requests need at hand. */
export interface MerchantSettings {
  /** ISO 4217 codes it takes payments in. */
  readonly currencies: ReadonlySet<string>;
  /** IANA name. */
  readonly timezone: string;
  readonly threeds: ThreeDSecurePolicy;
  /** How it stands in the mode that is asked for. */
  readonly standing: MerchantStatus;
  /** What it takes less, or not at all, of what the platform takes, by currency. */
  readonly amount_limits?: ReadonlyMap<string, OwnLimits>;
}

/** `secret` keys are for a merchant's servers, `browser` keys are public. */
export type KeyContext = 'browser' | 'secret';

/** The key that a request came with, as far as it matters to what the request may do. */
export interface AskingKey {
  readonly context: KeyContext;
  /** ISO text in UTC; null for a key that does not expire. */
  readonly expiry: string | null;
}
