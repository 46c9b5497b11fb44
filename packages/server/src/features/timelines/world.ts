import type { Row } from '../../platform/database/row.ts';
import type { Within } from '../../platform/database/within.ts';
import { type Clock, type Micros, seconds } from '../../platform/time/clock.ts';
import { createSignal, type Signal } from '../../platform/workers/signal.ts';
import type { Services } from '../../services.ts';

/** What is done at the time of one clock: of a merchant's sandbox, or of one customer. */
export interface World {
  readonly id: string;
  readonly merchant_id: string;
  readonly customer_id: string | null;
  /** Where the clock is going. */
  readonly target_at: string | null;
  /** Services whose clock is this one, which claim what is of this world, and have signals of their own. */
  readonly services: Services;
  /** How far it is ahead of the machine's, seconds. */
  ahead_s(): number;
  /** It goes on from `ahead_s`; never back. */
  move(ahead_s: number): void;
  /** While its loops run in this process its signals wake these alone. */
  attend(here: boolean): void;
}

interface Making {
  readonly base: Services;
  /** Told of a world that is not attended to and may have something to do. */
  readonly woken: (world: World) => void;
  readonly within: (world: World) => Promise<Within>;
}

/** The world of a clock, as its row says. */
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

/** Signals of a world's own, each raise of which is told of. */
function signalsLike(wake: Services['wake'], raised: () => void): Services['wake'] {
  const names = Object.keys(wake) as (keyof Services['wake'])[];
  const one = (): Signal => {
    const signal = createSignal();
    signal.listen(raised);
    return signal;
  };
  return Object.fromEntries(names.map((name) => [name, one()])) as Services['wake'];
}
