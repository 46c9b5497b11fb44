import { type Clock, seconds, systemClock } from '@florin/server/platform/time/clock.ts';
import { createSignal } from '@florin/server/platform/workers/signal.ts';

/** The system clock plus an offset that tests increase. */
interface ClockAhead extends Clock {
  /** Moves the clock and wakes all work loops, which would otherwise notice at their next poll. */
  advance(duration_s: number): void;
  /** Wakes all work loops without moving the clock, for work that they cannot know of yet. */
  wake(): void;
  /** Moves the clock without a wake, for time that passes while a message is in flight. */
  advanceSilently(duration_s: number): void;
}

export function createClockAhead(): ClockAhead {
  const system = systemClock();
  const moved = createSignal();
  let offset = 0;
  const advanceSilently = (duration_s: number): void => {
    offset += seconds(duration_s);
  };
  return {
    now: () => system.now() + offset,
    moved,
    advance(duration_s) {
      advanceSilently(duration_s);
      moved.raise();
    },
    wake: () => moved.raise(),
    advanceSilently,
  };
}
