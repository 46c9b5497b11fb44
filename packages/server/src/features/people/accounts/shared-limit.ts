import type { Signer } from '../../../platform/crypto/signer.ts';
import type { Db } from '../../../platform/database/db.ts';
import { type Clock, instantText, seconds } from '../../../platform/time/clock.ts';
import { forgiveAccessTries, takeAccessTry } from '../sql/access-tries.ts';

/** Where tries are counted, and by which key their subjects are hashed, so that what is stored names nobody. */
export interface TryBooks {
  readonly db: Db;
  readonly clock: Clock;
  readonly signer: Signer;
}

export interface SharedLimitPolicy {
  /** What is counted, apart from other limits. */
  readonly name: string;
  /** Tries of one key within a window. */
  readonly max: number;
  /** A window begins with a key's first try. */
  readonly window_seconds: number;
}

/** Counts tries per key for all processes together; a restart forgives nothing. */
export interface SharedLimit {
  /** Counts a try, in a transaction only if that is committed; whether it is still within the limit. */
  take(key: string, tx?: Db): Promise<boolean>;
  /** Tries so far do not count any more. */
  forget(key: string): Promise<void>;
}

export function createSharedLimit(
  { db, clock, signer }: TryBooks,
  { name, max, window_seconds }: SharedLimitPolicy,
): SharedLimit {
  const subjectOf = (key: string): string => signer.sign(`${name} ${key}`);
  return {
    async take(key, tx = db) {
      const now = clock.now();
      const expires_at = instantText(now + seconds(window_seconds));
      return takeAccessTry(tx, subjectOf(key), { now: instantText(now), expires_at, max });
    },
    async forget(key) {
      await forgiveAccessTries(db, subjectOf(key));
    },
  };
}
