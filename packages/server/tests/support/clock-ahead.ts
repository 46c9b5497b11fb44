import { type Clock, seconds, systemClock } from '@florin/server/platform/time/clock.ts';
import { createSignal } from '@florin/server/platform/workers/signal.ts';

/** The system clock plus an offset that tests increase. */
export function clockAhead(): Clock & { advance(count_s: number): void } {
  const system = systemClock();
  const moved = createSignal();
  let ahead = 0;
  return {
    now: () => system.now() + ahead,
    moved,
    advance(count_s) {
      ahead += seconds(count_s);
      moved.raise();
    },
  };
}
