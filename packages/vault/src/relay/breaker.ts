import type { Clock } from '../kernel/clock.ts';

/** Consecutive failures of a kind after which an origin counts as unreachable. */
export const FAILURES_MAX = 5;
/** Time without messages after the breaker opens. Doubles with each failed probe, up to `OPEN_MS_MAX`. */
export const OPEN_MS_MIN = 500;
export const OPEN_MS_MAX = 15_000;
/** Time without a sign of life after which time-outs count. A slow origin, or a busy vault, is not suspected. */
export const SILENCE_MS = 10_000;
/** Longest wait for a probe's end. A probe that is too late to be sent has none. */
const PROBE_MS_MAX = 15_000;

/** `refused`: no connection. `silent`: no answer within the message's time-out. */
export type FailureKind = 'refused' | 'silent';

/**
 * Circuit breaker per origin. While an origin is unreachable or never answers, messages fail at once: none waits for a
 * connection, or ends with an unknown outcome. Then one message at a time is the probe.
 */
export interface Breaker {
  /** Whether a message may be sent now. An origin may be followed by the account that has its own connections. */
  allows(origin: string): boolean;
  recordConnected(origin: string): void;
  /** The origin answered, or ended a connection: it does not hang. */
  recordAlive(origin: string): void;
  recordFailure(origin: string, kind: FailureKind): void;
}

interface OriginState {
  readonly failures: Record<FailureKind, number>;
  open_ms: number;
  /** Milliseconds since 1970. */
  open_until: number;
  isProbed: boolean;
}

const isOpen = ({ failures }: OriginState): boolean =>
  failures.refused >= FAILURES_MAX || failures.silent >= FAILURES_MAX;

export function createBreaker(clock: Clock): Breaker {
  const states = new Map<string, OriginState>();
  /** Time of the last sign of life by origin, in milliseconds since 1970. */
  const aliveTimes = new Map<string, number>();
  const stateOf = (origin: string): OriginState => {
    const known = states.get(origin);
    if (known) return known;
    const failures = { refused: 0, silent: 0 };
    const state = { failures, open_ms: 0, open_until: 0, isProbed: false };
    states.set(origin, state);
    return state;
  };
  return {
    allows(origin) {
      const state = states.get(origin);
      if (!state || !isOpen(state)) return true;
      if (clock() < state.open_until) return false;
      // Until this probe ends, all other messages wait.
      state.isProbed = true;
      state.open_until = clock() + PROBE_MS_MAX;
      return true;
    },
    recordConnected(origin) {
      const state = states.get(origin);
      if (!state) return;
      state.failures.refused = 0;
      if (state.failures.silent === 0) states.delete(origin);
    },
    recordAlive(origin) {
      states.delete(origin);
      aliveTimes.set(origin, clock());
    },
    recordFailure(origin, kind) {
      const alive_ms = clock() - (aliveTimes.get(origin) ?? 0);
      if (kind === 'silent' && alive_ms < SILENCE_MS) return;
      const state = stateOf(origin);
      const wasOpen = isOpen(state);
      state.failures[kind] += 1;
      // Messages that were sent before the breaker opened fail later, and say nothing new.
      if (!isOpen(state) || (wasOpen && !state.isProbed)) return;
      state.isProbed = false;
      state.open_ms = Math.min(state.open_ms * 2 || OPEN_MS_MIN, OPEN_MS_MAX);
      state.open_until = clock() + state.open_ms;
    },
  };
}
