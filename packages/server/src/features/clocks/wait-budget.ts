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
  has(kind: keyof typeof LIMITS_MS): boolean;
  /** Resets the budget per stop, since the clock advances. */
  reset(): void;
}

export function createWaitBudget(monotonic_ms: () => number): WaitBudget {
  const waited_ms = { work: 0, deliveries: 0 };
  let currentWait: { readonly since: number; readonly kind: keyof typeof LIMITS_MS } | undefined;
  const endWait = (): void => {
    if (currentWait) waited_ms[currentWait.kind] += monotonic_ms() - currentWait.since;
    currentWait = undefined;
  };
  return {
    has(kind) {
      if (currentWait?.kind !== kind) endWait();
      currentWait ??= { since: monotonic_ms(), kind };
      const waitedMs = monotonic_ms() - currentWait.since;
      const remaining_ms = Math.max(WAIT_MIN_MS, LIMITS_MS[kind].advance - waited_ms[kind]);
      return waitedMs < Math.min(LIMITS_MS[kind].stop, remaining_ms);
    },
    reset: endWait,
  };
}
