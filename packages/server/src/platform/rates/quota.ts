import { createLru } from '@florin/contract/lru.ts';

/** Rate of a key: a burst of `requests`, refilled evenly over `seconds`. */
export interface QuotaPolicy {
  readonly requests: number;
  readonly seconds: number;
}

/** Result of counting one request. */
export interface QuotaResult {
  readonly granted: boolean;
  /** Number of requests that the key may still make now. */
  readonly remaining: number;
  /** Milliseconds until the quota is full; after a refusal, until the next request is allowed. */
  readonly wait_ms: number;
}

/** Counts requests per key in this process. */
export interface Quota {
  take(key: string): QuotaResult;
  /** Removes one request from the key's count. */
  release(key: string): void;
}

export interface QuotaOptions extends QuotaPolicy {
  /** Milliseconds of a monotonic clock. */
  readonly monotonic_ms: () => number;
  /** Maximum number of keys in memory. Further keys evict the least recently used one. */
  readonly keys_max?: number;
}

const KEYS_MAX = 10_000;
/** Tolerance for rounding errors of summed fractions, in requests. */
const ROUNDING_TOLERANCE = 1e-3;

/**
 * A token bucket per key, by the generic cell rate algorithm (ITU-T I.371). The only state of a key is the
 * time when its bucket is full.
 */
export function createQuota(options: QuotaOptions): Quota {
  const { requests, seconds, monotonic_ms, keys_max = KEYS_MAX } = options;
  const ms_per_request = (seconds * 1000) / requests;
  const full_at = createLru<number>(keys_max);
  return {
    take(key) {
      const now = monotonic_ms();
      const missingMs = Math.max((full_at.get(key) ?? now) - now, 0);
      const tokens = requests - missingMs / ms_per_request - 1;
      if (tokens < -ROUNDING_TOLERANCE)
        return { granted: false, remaining: 0, wait_ms: -tokens * ms_per_request };
      full_at.set(key, now + missingMs + ms_per_request);
      const remaining = Math.floor(tokens + ROUNDING_TOLERANCE);
      return { granted: true, remaining, wait_ms: missingMs + ms_per_request };
    },
    release(key) {
      const at = full_at.get(key);
      if (at !== undefined) full_at.set(key, at - ms_per_request);
    },
  };
}
