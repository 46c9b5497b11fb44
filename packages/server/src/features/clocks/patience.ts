/** Wait budgets of an advancing clock: per stop, and for all its stops together. */
const LIMITS_MS = {
  /** Longer than a processor may take to respond. */
  work: { stop: 45_000, way: 180_000 },
  /**
   * Longer than an endpoint may take. The total limits the wait for an endpoint that always hangs.
   */
  deliveries: { stop: 12_000, way: 30_000 },
} as const;

/** Each stop waits at least this long. */
const LEAST_MS = 500;

/** Remaining wait for work in flight. */
export interface Patience {
  has(what: keyof typeof LIMITS_MS): boolean;
  /** The clock advances: the next stop has its own budget. */
  rest(): void;
}

export function createPatience(monotonic_ms: () => number): Patience {
  const spent = { work: 0, deliveries: 0 };
  let waiting: { readonly since: number; readonly what: keyof typeof LIMITS_MS } | undefined;
  const end = (): void => {
    if (waiting) spent[waiting.what] += monotonic_ms() - waiting.since;
    waiting = undefined;
  };
  return {
    has(what) {
      if (waiting?.what !== what) end();
      waiting ??= { since: monotonic_ms(), what };
      const waited = monotonic_ms() - waiting.since;
      const left = Math.max(LEAST_MS, LIMITS_MS[what].way - spent[what]);
      return waited < Math.min(LIMITS_MS[what].stop, left);
    },
    rest: end,
  };
}
