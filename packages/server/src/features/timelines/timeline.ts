import type { Row } from '../../platform/database/row.ts';
import type { ClaimScope } from '../../platform/database/within.ts';
import { type Clock, type Micros, seconds } from '../../platform/time/clock.ts';
import { createSignal, type Signal } from '../../platform/workers/signal.ts';
import { createWakes } from '../../platform/workers/wakes.ts';
import type { Services, Timeline } from '../../services.ts';

interface TimelineParts {
  readonly base: Services;
  /** Called if an idle timeline may have new work. */
  readonly onWake: (timeline: Timeline) => void;
  readonly within: (timeline: Timeline) => Promise<ClaimScope>;
}

/** Creates the timeline of a clock. */
export function newTimeline(row: Row, { base, onWake, within }: TimelineParts): Timeline {
  const state = { offset_seconds: Number(row.ahead_seconds), here: false };
  const wakeIfNotRunning = (): void => {
    if (!state.here) onWake(timeline);
  };
  const timeline: Timeline = {
    id: row.id as string,
    merchant_id: row.merchant_id as string,
    customer_id: row.customer_id ?? null,
    target_at: row.target_at ?? null,
    services: {
      ...base,
      clock: shiftedClock(base.clock, () => seconds(state.offset_seconds)),
      within: () => within(timeline),
      wake: createSignals(wakeIfNotRunning),
    },
    offset_seconds: () => state.offset_seconds,
    move(to) {
      state.offset_seconds = Math.max(state.offset_seconds, to);
    },
    setRunning(isRunningHere) {
      state.here = isRunningHere;
    },
    isRunning: () => state.here,
  };
  return timeline;
}

const shiftedClock = (clock: Clock, offset: () => Micros): Clock => ({
  now: () => clock.now() + offset(),
});

/** Signals of a timeline. Each wake also calls `onRaise`. */
function createSignals(onRaise: () => void): Services['wake'] {
  const makeSignal = (): Signal => {
    const signal = createSignal();
    signal.listen(onRaise);
    return signal;
  };
  return createWakes(makeSignal);
}
