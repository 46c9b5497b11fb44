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
  /** How it stands in the mode that is asked for. */
  readonly standing: MerchantStatus;
  /** What it takes less, or not at all, of what the platform takes, by currency. */
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

/** Who is asking, for which merchant and mode, and what they may do. */
export interface Asker {
  readonly scope: Scope;
  readonly permissions: ReadonlySet<string> | 'all';
  readonly settings: MerchantSettings;
}

/** A key that asks. */
export interface Caller extends Asker, AskingKey {
  readonly token_id: string;
  /** Whether somebody revoked it, which its expiry says the time of. */
  readonly revoked: boolean;
  /** Origins whose pages may mount its form; where there are none, any may in the sandbox. */
  readonly origins: readonly string[];
}

/** Looks up keys by their hash and remembers the answers for a while. */
export interface Callers {
  /** The caller of a key, which may have expired; undefined where there is no such key. */
  find(keyHash: string): Promise<Caller | undefined>;
  /** Whether the key existed when it was last looked up. */
  seen(keyHash: string): boolean;
  /** Whether the key is being looked up now; who asks for it meanwhile shares the answer. */
  isLookedUp(keyHash: string): boolean;
  /** The key has changed: what is remembered of it no longer counts in this process. */
  forget(keyHash: string): void;
  /** Who may do what has changed, in this process: nothing that is remembered counts unless it is of the new epoch. */
  forgetAll(): void;
}
