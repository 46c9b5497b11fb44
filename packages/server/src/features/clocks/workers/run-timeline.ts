import { setTimeout as sleep } from 'node:timers/promises';
import { instantText } from '../../../platform/time/clock.ts';
import { timelineWork } from '../../timelines/sql/timeline-work.ts';
import { advance, type LeasedTimeline, wakeLoops } from '../advance.ts';

/** Milliseconds without work after which a timeline is released. */
const IDLE_MS = 2_000;
const POLL_MS = 100;

/**
 * Runs a timeline: advances its clock to the target, then continues until no work was due for
 * `IDLE_MS`.
 */
export async function runTimeline(leasedTimeline: LeasedTimeline): Promise<void> {
  const { timelines } = leasedTimeline.base;
  for (let idle_ms = 0; !leasedTimeline.isOver() && idle_ms < IDLE_MS; ) {
    const timeline = timelines.find(leasedTimeline.timeline.id) ?? leasedTimeline.timeline;
    if (timeline.target_at !== null) {
      await advance({ ...leasedTimeline, timeline });
      await timelines.refresh();
    }
    idle_ms = (await isBusy(leasedTimeline)) ? 0 : idle_ms + POLL_MS;
    await sleep(POLL_MS);
  }
}

/** Whether the timeline has due work. Wakes the loops of this work. */
async function isBusy(leasedTimeline: LeasedTimeline): Promise<boolean> {
  const { timeline, countInFlight } = leasedTimeline;
  const { db, clock } = timeline.services;
  const work = await timelineWork(db, timeline, instantText(clock.now()));
  if (work.due.length > 0) wakeLoops(leasedTimeline, work);
  return work.busy || work.delivering || countInFlight() > 0;
}
