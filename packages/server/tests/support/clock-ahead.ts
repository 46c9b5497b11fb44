import { type Clock, seconds, systemClock } from '@florin/server/platform/time/clock.ts';

/** The system clock with an offset that tests increase. */
export function clockAhead(): Clock & { advance(count_s: number): void } {
  const system = systemClock();
  let ahead = 0;
  return {
    now: () => system.now() + ahead,
    advance(count_s) {
      ahead += seconds(count_s);
    },
  };
}
