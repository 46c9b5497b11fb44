/** Wait budgets of an advancing clock: per stop, and for all its stops together. */
const LIMITS_MS = {
  /** Longer than a processor may take to respond. */
  work: { stop: 45_000, advance: 180_000 },
  /**
   * Longer than an endpoint may take. The total limits the wait for an endpoint that always hangs.
   */
  deliveries: { stop: 12_000, advance: 30_000 },
} as const;

/** Each stop waits at least this long. */
const WAIT_MIN_MS = 500;

/** Remaining wait for work in flight. */
export interface WaitBudget {
  has(what: keyof typeof LIMITS_MS): boolean;
  /** The clock advances: the next stop has its own budget. */
  rest(): void;
}

export function createWaitBudget(monotonic_ms: () => number): WaitBudget {
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
      const left = Math.max(WAIT_MIN_MS, LIMITS_MS[what].advance - spent[what]);
      return waited < Math.min(LIMITS_MS[what].stop, left);
    },
    rest: end,
  };
}
