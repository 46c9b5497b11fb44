import { createLru } from '@florin/contract/lru.ts';

/** Rate of a key: a burst of `requests`, and as many again over each `seconds`. */
export interface QuotaPolicy {
  readonly requests: number;
  readonly seconds: number;
}

/** Result of one request. */
export interface Taken {
  readonly granted: boolean;
  /** Requests that the key may still make immediately. */
  readonly remaining: number;
  /**
   * Milliseconds until the quota is full again; after a refused request, until one is available.
   */
  readonly wait_ms: number;
}

/** Counts requests per key in this process. */
export interface Quota {
  take(key: string): Taken;
  /** Uncounts a counted request. */
  release(key: string): void;
}

export interface QuotaOptions extends QuotaPolicy {
  /** Milliseconds of a monotonic clock. */
  readonly monotonic_ms: () => number;
  /** Maximum remembered keys; beyond it the least recently used one is evicted. */
  readonly keys_max?: number;
}

const KEYS_MAX = 10_000;
/** Rounding error of summed fractions, as a part of one request. */
const SLACK = 1e-3;

/**
 * A token bucket per key by the generic cell rate algorithm (ITU-T I.371). The only state is the instant at which the
 * bucket will be full again.
 */
export function createQuota(options: QuotaOptions): Quota {
  const { requests, seconds, monotonic_ms, keys_max = KEYS_MAX } = options;
  const ms_per_request = (seconds * 1000) / requests;
  const full_at = createLru<number>(keys_max);
  return {
    take(key) {
      const now = monotonic_ms();
      const missing = Math.max((full_at.get(key) ?? now) - now, 0);
      const left = requests - missing / ms_per_request - 1;
      if (left < -SLACK) return { granted: false, remaining: 0, wait_ms: -left * ms_per_request };
      full_at.set(key, now + missing + ms_per_request);
      const remaining = Math.floor(left + SLACK);
      return { granted: true, remaining, wait_ms: missing + ms_per_request };
    },
    release(key) {
      const at = full_at.get(key);
      if (at !== undefined) full_at.set(key, at - ms_per_request);
    },
  };
}
