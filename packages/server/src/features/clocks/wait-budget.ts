/**
 * Wait budgets of an advancing clock in milliseconds: per stop, and for all stops of an advance.
 */
const LIMITS_MS = {
  /** Longer than the timeout of a processor's response. */
  work: { stop: 45_000, advance: 180_000 },
  /**
   * Longer than the timeout of an endpoint. The total limits the wait for an endpoint that always
   * times out.
   */
  deliveries: { stop: 12_000, advance: 30_000 },
} as const;

/** Minimum wait of a stop, even when the total budget is used up. */
const WAIT_MIN_MS = 500;

/** Remaining wait for work in flight, of one advance. */
export interface WaitBudget {
  has(what: keyof typeof LIMITS_MS): boolean;
  /** Resets the budget per stop, since the clock advances. */
  rest(): void;
}

export function createWaitBudget(monotonic_ms: () => number): WaitBudget {
  const waited_ms = { work: 0, deliveries: 0 };
  let waiting: { readonly since: number; readonly what: keyof typeof LIMITS_MS } | undefined;
  const end = (): void => {
    if (waiting) waited_ms[waiting.what] += monotonic_ms() - waiting.since;
    waiting = undefined;
  };
  return {
    has(what) {
      if (waiting?.what !== what) end();
      waiting ??= { since: monotonic_ms(), what };
      const waited = monotonic_ms() - waiting.since;
      const left = Math.max(WAIT_MIN_MS, LIMITS_MS[what].advance - waited_ms[what]);
      return waited < Math.min(LIMITS_MS[what].stop, left);
    },
    rest: end,
  };
}
