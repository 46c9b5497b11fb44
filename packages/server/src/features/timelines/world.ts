import type { Row } from '../../platform/database/row.ts';
import type { Within } from '../../platform/database/within.ts';
import { type Clock, type Micros, seconds } from '../../platform/time/clock.ts';
import { createSignal, type Signal } from '../../platform/workers/signal.ts';
import type { Services, World } from '../../services.ts';

interface Making {
  readonly base: Services;
  /** Called for an idle timeline that may have work. */
  readonly woken: (world: World) => void;
  readonly within: (world: World) => Promise<Within>;
}

/** The timeline of a clock's row. */
export function newWorld(row: Row, { base, woken, within }: Making): World {
  const state = { ahead_s: Number(row.ahead_seconds), here: false };
  const unattended = (): void => {
    if (!state.here) woken(world);
  };
  const world: World = {
    id: row.id as string,
    merchant_id: row.merchant_id as string,
    customer_id: row.customer_id ?? null,
    target_at: row.target_at ?? null,
    services: {
      ...base,
      clock: shifted(base.clock, () => seconds(state.ahead_s)),
      within: () => within(world),
      wake: signalsLike(base.wake, unattended),
    },
    ahead_s: () => state.ahead_s,
    move(to) {
      state.ahead_s = Math.max(state.ahead_s, to);
    },
    attend(here) {
      state.here = here;
    },
  };
  return world;
}

const shifted = (clock: Clock, ahead: () => Micros): Clock => ({
  now: () => clock.now() + ahead(),
});

/** Signals of a timeline; each wake also calls `raised`. */
function signalsLike(wake: Services['wake'], raised: () => void): Services['wake'] {
  const names = Object.keys(wake) as (keyof Services['wake'])[];
  const one = (): Signal => {
    const signal = createSignal();
    signal.listen(raised);
    return signal;
  };
  return Object.fromEntries(names.map((name) => [name, one()])) as Services['wake'];
}
