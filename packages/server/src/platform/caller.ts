import type { MerchantStatus } from '@florin/contract/merchant-status.ts';
import type { OwnLimits } from '@florin/contract/risk/amounts.ts';
import type { Scope } from './database/scope.ts';

/** A merchant's 3-D Secure policy: results are mandatory, used when present, or ignored. */
export type ThreeDSecurePolicy = 'required' | 'when_available' | 'off';

/** Merchant settings that request handlers use. */
export interface MerchantSettings {
  /** ISO 4217 codes of the accepted currencies. */
  readonly currencies: ReadonlySet<string>;
  /** IANA time zone name. */
  readonly timezone: string;
  readonly threeds: ThreeDSecurePolicy;
  /** Whether `required` also accepts results that the client sent. */
  readonly accepts_asserted_threeds?: boolean;
  /** Merchant status in the requested mode. */
  readonly merchant_status: MerchantStatus;
  /** Limits of the merchant by currency, stricter than the platform's limits. */
  readonly amount_limits?: ReadonlyMap<string, OwnLimits>;
}

/** `secret` keys are for a merchant's servers; `browser` keys are public. */
export type KeyContext = 'browser' | 'secret';

/** Facts about a request's API key that decide what the request may do. */
export interface RequestingKey {
  readonly context: KeyContext;
  /** Expiry as ISO text in UTC; null if the key does not expire. */
  readonly expiry: string | null;
}

/** Scope and permissions of an API caller. */
export interface Requester {
  readonly scope: Scope;
  readonly permissions: ReadonlySet<string> | 'all';
  readonly settings: MerchantSettings;
}

/** The caller that an API key authenticates. */
export interface Caller extends Requester, RequestingKey {
  readonly token_id: string;
  /** Whether an account member revoked the key; `expiry` is then the time of the revocation. */
  readonly revoked: boolean;
  /** Membership of the member who is responsible for the key; null without one. */
  readonly creator_id: string | null;
  /** Origins whose pages may embed the form. Without origins, the sandbox allows all. */
  readonly origins: readonly string[];
}

/** Finds callers by the hash of their key, with a cache. */
export interface Callers {
  /** Finds the caller of a key, even an expired one; undefined for an unknown key. */
  find(keyHash: string): Promise<Caller | undefined>;
  /** Whether the last lookup found the key. */
  wasFound(keyHash: string): boolean;
  /** Whether a lookup of the key is running. Further calls share its result. */
  isLookedUp(keyHash: string): boolean;
  /** Deletes a changed key from this process's cache. */
  evict(keyHash: string): void;
  /** Clears this process's cache after a change of permissions; keeps entries of the new epoch. */
  clearCache(): void;
}
