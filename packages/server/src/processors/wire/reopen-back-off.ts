/**
 * A breaker that reopens within this time stays open twice as long as before. Longer than the longest message may be
 * without an answer: a vault that answers probes but hangs loses its messages that late.
 */
const REOPENED_MS = 90_000;

/** Open times of a breaker that reopens, in milliseconds. */
export interface OpenTimes {
  readonly shortest_ms: number;
  readonly longest_ms: number;
}

/** Minimum open time of a breaker that was closed for `closed_ms` and before that open for `previous_open_ms`. */
export const openMs = (
  { shortest_ms, longest_ms }: OpenTimes,
  previous_open_ms: number,
  closed_ms: number,
): number =>
  closed_ms < REOPENED_MS ? Math.min(2 * previous_open_ms || shortest_ms, longest_ms) : 0;

export interface ReopenBackOff {
  recordOpened(): void;
  mayClose(): boolean;
  recordClosed(): void;
}

/** Extends the open time of a breaker that opens repeatedly. */
export function createReopenBackOff(times: OpenTimes, monotonic_ms: () => number): ReopenBackOff {
  let [open_ms, opened_ms, closed_ms] = [0, 0, Number.NEGATIVE_INFINITY];
  return {
    recordOpened() {
      opened_ms = monotonic_ms();
      open_ms = openMs(times, open_ms, opened_ms - closed_ms);
    },
    mayClose: () => monotonic_ms() - opened_ms >= open_ms,
    recordClosed() {
      closed_ms = monotonic_ms();
    },
  };
}
