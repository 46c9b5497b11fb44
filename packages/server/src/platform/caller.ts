import type { MerchantStatus } from '@florin/contract/merchant-status.ts';
import type { OwnLimits } from '@florin/contract/risk/amounts.ts';
import type { Scope } from './database/scope.ts';

/** A merchant's 3-D Secure policy: results are mandatory, used when present, or ignored. */
export type ThreeDSecurePolicy = 'required' | 'when_available' | 'off';

/** Merchant settings that requests need. */
export interface MerchantSettings {
  /** ISO 4217 codes of the accepted currencies. */
  readonly currencies: ReadonlySet<string>;
  /** IANA name of the time zone. */
  readonly timezone: string;
  readonly threeds: ThreeDSecurePolicy;
  /** Merchant status in the requested mode. */
  readonly merchant_status: MerchantStatus;
  /** Limits of the merchant that are stricter than the platform's, by currency. */
  readonly amount_limits?: ReadonlyMap<string, OwnLimits>;
}

/** `secret` keys are for a merchant's servers, `browser` keys are public. */
export type KeyContext = 'browser' | 'secret';

/** Facts about the API key of a request that decide what the request may do. */
export interface AskingKey {
  readonly context: KeyContext;
  /** ISO text in UTC; null for a key that does not expire. */
  readonly expiry: string | null;
}

/** A caller of the interface: merchant, mode and permissions. */
export interface Asker {
  readonly scope: Scope;
  readonly permissions: ReadonlySet<string> | 'all';
  readonly settings: MerchantSettings;
}

/** A key's caller. */
export interface Caller extends Asker, AskingKey {
  readonly token_id: string;
  /** Whether a person revoked the key, at the time of its expiry. */
  readonly revoked: boolean;
  /** Origins whose pages may mount the form; without any, all may in the sandbox. */
  readonly origins: readonly string[];
}

/** Looks up keys by hash, with a cache. */
export interface Callers {
  /** Finds the caller of a key, even an expired one; undefined for an unknown key. */
  find(keyHash: string): Promise<Caller | undefined>;
  /** Whether the key existed at the last lookup. */
  seen(keyHash: string): boolean;
  /** Whether a lookup of the key is running, whose result further calls share. */
  isLookedUp(keyHash: string): boolean;
  /** Clears this process's cache entry of a changed key. */
  evict(keyHash: string): void;
  /** Clears this process's cache after a change of permissions, except entries of the new epoch. */
  clearCache(): void;
}
