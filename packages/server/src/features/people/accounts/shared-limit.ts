import type { Signer } from '../../../platform/crypto/signer.ts';
import type { Db } from '../../../platform/database/db.ts';
import { type Clock, instantText, seconds } from '../../../platform/time/clock.ts';
import { countAccessTry, resetAccessTries } from '../sql/access-tries.ts';

/**
 * Database of the counts, and the signer that hashes the counted keys. Stored counts identify no
 * person.
 */
export interface LimitServices {
  readonly db: Db;
  readonly clock: Clock;
  readonly signer: Signer;
}

export interface SharedLimitPolicy {
  /** Name that separates the counts of different limits. */
  readonly name: string;
  /** Attempts per key and window. */
  readonly max: number;
  /** Length of a window, which begins with a key's first attempt. */
  readonly window_seconds: number;
}

/** Counts attempts per key across processes and restarts. */
export interface SharedLimit {
  /**
   * Counts an attempt and returns whether the limit allows it. In a transaction, the attempt counts
   * only after the commit.
   */
  take(key: string, tx?: Db): Promise<boolean>;
  /** Resets the count. */
  reset(key: string): Promise<void>;
}

export function createSharedLimit(
  { db, clock, signer }: LimitServices,
  { name, max, window_seconds }: SharedLimitPolicy,
): SharedLimit {
  const subjectOf = (key: string): string => signer.sign(`${name} ${key}`);
  return {
    async take(key, tx = db) {
      const now = clock.now();
      const expires_at = instantText(now + seconds(window_seconds));
      return countAccessTry(tx, subjectOf(key), { now: instantText(now), expires_at, max });
    },
    async reset(key) {
      await resetAccessTries(db, subjectOf(key));
    },
  };
}
