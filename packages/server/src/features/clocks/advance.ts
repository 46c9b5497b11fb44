import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from '../../platform/database/row.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { findRow } from '../../platform/database/rows.ts';
import { lockRows, transition } from '../../platform/database/transition.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { Services, Timeline } from '../../services.ts';
import { hasDisputeNotifications } from '../disputes/notifications.ts';
import { type TimelineWork, timelineWork } from '../timelines/sql/timeline-work.ts';
import { createWaitBudget, type WaitBudget } from './wait-budget.ts';

/** Poll interval while due work is running: 20 ms first, growing to 200 ms. */
const POLL_MS = { first: 20, most: 200 };
/**
 * Maximum number of exact stops per advance. After them, the clock stops at most once in
 * `LONG_STEP`.
 */
const EXACT_STOPS_MAX = 10_000;
const LONG_STEP = seconds(3_600);
/**
 * Polls until every process has read that a clock was created, finished its advance or was removed.
 */
const KNOWN_POLLS = 2;

/** A timeline that this process has leased. */
export interface LeasedTimeline {
  readonly timeline: Timeline;
  readonly holder: string;
  /** Services of the default timeline. Only its loops read processors' notifications. */
  readonly base: Services;
  /** Number of webhook messages in flight. */
  countInFlight(): number;
  /** Whether this process must stop and release the timeline. */
  isOver(): boolean;
}

/**
 * Advances a clock to its target. Stops at each due instant of its timeline until the work is done
 * or the wait budget is used up. The row stores the progress, so any process can continue.
 */
export async function advance(leasedTimeline: LeasedTimeline): Promise<void> {
  const budget = createWaitBudget(leasedTimeline.base.config.monotonic_ms);
  if (await isNew(leasedTimeline)) await awaitClockSync(leasedTimeline.base);
  let poll_ms = POLL_MS.first;
  let lastDue = '';
  for (let stopCount = 0; !leasedTimeline.isOver(); ) {
    const { timeline } = leasedTimeline;
    const now = timeline.services.clock.now();
    const dueWork = await timelineWork(timeline.services.db, timeline, instantText(now));
    if (await mustWait(leasedTimeline, dueWork, budget)) {
      wakeLoops(leasedTimeline, dueWork);
      const due = dueWork.due.join();
      // Other work is due than before: the loops make progress, and the next step may be near.
      poll_ms = due === lastDue ? Math.min(2 * poll_ms, POLL_MS.most) : POLL_MS.first;
      lastDue = due;
      await sleep(poll_ms);
      continue;
    }
    budget.reset();
    poll_ms = POLL_MS.first;
    const target = await advanceStep(
      leasedTimeline,
      now,
      dueWork.next,
      ++stopCount > EXACT_STOPS_MAX ? LONG_STEP : 0,
    );
    if (target === undefined) return;
    if (now >= target) return finishAdvance(leasedTimeline);
  }
}

/** Whether work is due or in flight, and the wait budget has time left. */
async function mustWait(
  leasedTimeline: LeasedTimeline,
  work: TimelineWork,
  budget: WaitBudget,
): Promise<boolean> {
  if (work.busy) return budget.has('work');
  if (work.delivering || leasedTimeline.countInFlight() > 0) return budget.has('deliveries');
  return (await hasDisputeNotifications(leasedTimeline.base, 'sandbox')) && budget.has('work');
}

/** Wakes the loops with due rows, and while work is in progress the loop that reads disputes for all timelines. */
export function wakeLoops(
  { timeline, base }: Pick<LeasedTimeline, 'timeline' | 'base'>,
  { due, in_progress }: TimelineWork,
): void {
  for (const loop of due) timeline.services.wake[loop].raise();
  if (in_progress || due.length === 0 || due.includes('dispute')) base.wake.dispute.raise();
}

/**
 * Advances the clock to the next due instant or to its target, and returns the new time. Undefined
 * if the advance is finished or another process has the lease.
 */
async function advanceStep(
  leasedTimeline: LeasedTimeline,
  now: Micros,
  nextDueAt: string | undefined,
  step_us: Micros,
): Promise<Micros | undefined> {
  const { timeline } = leasedTimeline;
  const row = await changeLeased(leasedTimeline, (rowBefore) => {
    const target = microsOf(rowBefore.target_at as string);
    const stepEnd = Math.max(nextDueAt ? microsOf(nextDueAt) : target, now + step_us);
    const remaining = Math.max(0, Math.min(stepEnd, target) - now);
    const offset_seconds = timeline.offset_seconds() + Math.ceil(remaining / seconds(1));
    return {
      set: {
        ahead_seconds: String(offset_seconds),
        reached_at: instantText(now + seconds(offset_seconds - timeline.offset_seconds())),
        steps_count: String(Number(rowBefore.steps_count) + 1),
      },
    };
  });
  if (!row) return undefined;
  timeline.move(Number(row.ahead_seconds));
  return microsOf(row.target_at as string);
}

async function finishAdvance(leased: LeasedTimeline): Promise<void> {
  await awaitClockSync(leased.base);
  await changeLeased(leased, () => ({ trigger: 'arrive', set: { target_at: null } }));
}

/**
 * Waits until all processes have read the clock's new time. Their requests and claims then use it.
 */
export const awaitClockSync = ({ config }: Pick<Services, 'config'>): Promise<void> =>
  sleep(KNOWN_POLLS * config.timelines_poll_ms);

/** Whether the clock has never advanced. Other processes could then still claim its rows. */
async function isNew({ timeline, base }: LeasedTimeline): Promise<boolean> {
  const scope = { merchant_id: timeline.merchant_id, mode: 'sandbox' } as const;
  return (await findRow(base.db, 'sandbox_clocks', scope, timeline.id))?.steps_count === '0';
}

type Change = { readonly trigger?: string; readonly set: Row };

/** Updates a clock that is advancing under this process's lease; returns the row. */
const changeLeased = (
  { timeline, holder, base }: LeasedTimeline,
  decide: (clock: Row) => Change,
): Promise<Row | undefined> =>
  base.db.transaction(async (tx) => {
    const key = { merchant_id: timeline.merchant_id, id: timeline.id };
    const before = (await lockRows(tx, 'sandbox_clocks', [key])).get(keyText(key));
    if (before?.held_by !== holder || before.status !== 'advancing') return undefined;
    const options = { table: 'sandbox_clocks', at: instantText(base.clock.now()) };
    const [after] = await transition(tx, base.catalog, options, [{ before, ...decide(before) }]);
    return after;
  });
