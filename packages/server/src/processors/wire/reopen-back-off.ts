/** Shortest open time of a breaker that reopens, in milliseconds. */
const REOPEN_MS = 500;
/** A breaker that reopens within REOPENED_MS stays open twice as long as before, up to OPEN_MS_MAX. */
const REOPENED_MS = 10_000;
const OPEN_MS_MAX = 15_000;

/** Minimum open time of a breaker that was closed for `closed_ms` and before that open for `previous_open_ms`. */
export const openMs = (previous_open_ms: number, closed_ms: number): number =>
  closed_ms < REOPENED_MS ? Math.min(2 * previous_open_ms || REOPEN_MS, OPEN_MS_MAX) : 0;

export interface ReopenBackOff {
  recordOpened(): void;
  mayClose(): boolean;
  recordClosed(): void;
}

/** Extends the open time of a breaker that opens repeatedly. */
export function createReopenBackOff(monotonic_ms: () => number): ReopenBackOff {
  let [open_ms, opened_ms, closed_ms] = [0, 0, Number.NEGATIVE_INFINITY];
  return {
    recordOpened() {
      opened_ms = monotonic_ms();
      open_ms = openMs(open_ms, opened_ms - closed_ms);
    },
    mayClose: () => monotonic_ms() - opened_ms >= open_ms,
    recordClosed() {
      closed_ms = monotonic_ms();
    },
  };
}
