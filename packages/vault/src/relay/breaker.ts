import type { Clock } from '../kernel/clock.ts';

/** Consecutive failed connections after which an origin counts as unreachable. */
export const FAILURES_MAX = 5;
/** Time without messages after the breaker opens. Doubles with each failed probe, up to `OPEN_MS_MAX`. */
export const OPEN_MS_MIN = 500;
export const OPEN_MS_MAX = 15_000;

/**
 * Circuit breaker per origin. While an origin is unreachable, messages fail at once instead of each waiting for a
 * connection. Then one message at a time is the probe.
 */
export interface Breaker {
  /** Whether a message may be sent now. An origin may be followed by the account that has its own connections. */
  allows(origin: string): boolean;
  recordConnected(origin: string): void;
  recordFailure(origin: string): void;
}

interface OriginState {
  failures: number;
  open_ms: number;
  /** Milliseconds since 1970. */
  open_until: number;
}

export function createBreaker(clock: Clock): Breaker {
  const states = new Map<string, OriginState>();
  return {
    allows(origin) {
      const state = states.get(origin);
      if (!state || state.failures < FAILURES_MAX) return true;
      if (clock() < state.open_until) return false;
      // Until this probe ends, all other messages wait.
      state.open_until = clock() + state.open_ms;
      return true;
    },
    recordConnected: (origin) => void states.delete(origin),
    recordFailure(origin) {
      const { failures = 0, open_ms = 0 } = states.get(origin) ?? {};
      const isOpen = failures + 1 >= FAILURES_MAX;
      const next_open_ms = isOpen ? Math.min(open_ms * 2 || OPEN_MS_MIN, OPEN_MS_MAX) : 0;
      states.set(origin, {
        failures: failures + 1,
        open_ms: next_open_ms,
        open_until: clock() + next_open_ms,
      });
    },
  };
}
