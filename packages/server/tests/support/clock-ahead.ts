import { type Clock, seconds, systemClock } from '@florin/server/platform/time/clock.ts';
import { createSignal } from '@florin/server/platform/workers/signal.ts';

/** The system clock plus an offset that tests increase. */
interface ClockAhead extends Clock {
  /** Moves the clock and wakes all work loops, which would otherwise notice at their next poll. */
  advance(count_s: number): void;
  /** Wakes all work loops without moving the clock, for work that they cannot know of yet. */
  wake(): void;
  /** Moves the clock without a wake, for time that passes while a message is in flight. */
  pass(count_s: number): void;
}

export function clockAhead(): ClockAhead {
  const system = systemClock();
  const moved = createSignal();
  let ahead = 0;
  const pass = (count_s: number): void => {
    ahead += seconds(count_s);
  };
  return {
    now: () => system.now() + ahead,
    moved,
    advance(count_s) {
      pass(count_s);
      moved.raise();
    },
    wake: () => moved.raise(),
    pass,
  };
}
