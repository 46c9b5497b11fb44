import { type Clock, seconds, systemClock } from '@florin/server/platform/time/clock.ts';
import { createSignal } from '@florin/server/platform/workers/signal.ts';
import { afterAll } from 'vitest';

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

/** Time between ticks. Each one wakes all work loops, so more of them would slow other tests. */
const TICK_MS = 200;
/** Processors are asked again after seconds. */
const SECONDS_PER_TICK = 4;

/** Lets time pass twenty times as fast until the tests of a file have ended. */
export function passTime(clock: ClockAhead): void {
  const timer = setInterval(() => clock.advance(SECONDS_PER_TICK), TICK_MS);
  afterAll(() => clearInterval(timer));
}
