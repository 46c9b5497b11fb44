import { createLru } from '@florin/contract/lru.ts';
import type { Clock, Micros } from '../time/clock.ts';

export interface WindowLimitOptions {
  readonly clock: Clock;
  /** Attempts of one key within a window. */
  readonly max: number;
  /** A window begins with a key's first attempt. */
  readonly window: Micros;
  /** Maximum remembered keys; beyond it the least recently used one is evicted. */
  readonly keys_max?: number;
}

/** Counts attempts per key in this process. */
export interface WindowLimit {
  /** Counts an attempt; returns whether the limit allows it. */
  take(key: string): boolean;
  /** Resets the key's count. */
  forget(key: string): void;
}

const KEYS_MAX = 10_000;

export function createWindowLimit({
  clock,
  max,
  window,
  keys_max = KEYS_MAX,
}: WindowLimitOptions): WindowLimit {
  const tries = createLru<{ count: number; until: Micros }>(keys_max);
  return {
    take(key) {
      const now = clock.now();
      const known = tries.get(key);
      const running = known && known.until > now ? known : { count: 0, until: now + window };
      tries.set(key, { count: running.count + 1, until: running.until });
      return running.count < max;
    },
    forget(key) {
      tries.delete(key);
    },
  };
}
