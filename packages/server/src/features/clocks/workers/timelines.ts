import { randomUUID } from 'node:crypto';
import { instantText } from '../../../platform/time/clock.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services, Timeline } from '../../../services.ts';
import { leaseClocks, releaseClock, renewLeases } from '../../timelines/sql/sandbox-clocks.ts';
import { runTimeline } from './run-timeline.ts';

/**
 * Maximum number of timelines that one process runs. Further timelines wait, or another process
 * runs them.
 */
const RUNNING_MAX = 8;
/**
 * Lease of a timeline, in seconds. If its process dies, another process runs the timeline
 * afterwards.
 */
const LEASE_SECONDS = 5;
/** Timelines checked per poll, in turn, in addition to timelines that were woken. */
const CHECKED_MAX = 200;
const RENEW_MS = (LEASE_SECONDS * 1_000) / 4;

export interface TimelineLoops extends AsyncDisposable {
  /** Number of webhook messages in flight. */
  countInFlight(): number;
}

type StartLoops = (timeline: Timeline) => TimelineLoops;

/**
 * Runs sandbox timelines at their own times. One process at a time leases a timeline, while the
 * timeline has work.
 */
export function startTimelinesLoop(services: Services, startLoops: StartLoops): AsyncDisposable {
  const { db, clock, config, timelines } = services;
  const lease = { holder: randomUUID(), lease_seconds: LEASE_SECONDS };
  const runner = createRunner(services, lease.holder, startLoops);
  let renewedAt = Number.NEGATIVE_INFINITY;

  async function renewOwnLeases(): Promise<void> {
    const now = config.monotonic_ms();
    if (now - renewedAt > LEASE_SECONDS * 1_000) runner.keepOnly(new Set());
    if (runner.size() === 0) renewedAt = now;
    if (now - renewedAt < RENEW_MS) return;
    runner.keepOnly(new Set((await renewLeases(db, lease)).map(({ id }) => id as string)));
    renewedAt = now;
  }

  async function claim(): Promise<void> {
    const limit = RUNNING_MAX - runner.size();
    if (limit <= 0 || timelines.size === 0) return;
    const keys = timelines.next(CHECKED_MAX);
    const now = instantText(clock.now());
    const claimedClocks = await db.transaction(
      (tx) => leaseClocks(tx, { ...lease, now, limit, keys }),
      // Uses a cached plan: planning takes twenty times longer than execution.
      { plans: 'kept' },
    );
    for (const { id } of claimedClocks) runner.start(id as string);
  }

  const loop = startLoop(services, {
    name: 'timelines',
    wake: timelines.wake,
    poll_ms: config.timelines_poll_ms,
    async step() {
      await timelines.refresh();
      await renewOwnLeases();
      await claim();
      return false;
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      await runner.release();
    },
  };
}

/** Runs timelines in this process under the lease of `holder`. */
function createRunner(services: Services, holder: string, startLoops: StartLoops) {
  const { db, logger, timelines } = services;
  const runningTimelines = new Map<
    string,
    { isOver: boolean; readonly donePromise: Promise<void> }
  >();

  async function workOn(timeline: Timeline, isOver: () => boolean): Promise<void> {
    try {
      timeline.setRunning(true);
      await using loops = startLoops(timeline);
      await runTimeline({
        timeline,
        holder,
        base: services,
        countInFlight: loops.countInFlight,
        isOver,
      });
    } catch (error) {
      const err = { message: (error as Error).message };
      logger.error(
        { timeline: timeline.id, err },
        'sandbox timeline stopped by an error and released',
      );
    } finally {
      timeline.setRunning(false);
    }
  }

  /** Runs a timeline and then releases its lease. A lease that cannot be released expires. */
  async function run(id: string, isOver: () => boolean): Promise<void> {
    const timeline = timelines.find(id);
    if (timeline) {
      await workOn(timeline, isOver);
      await releaseClock(db, holder, timeline).catch(() => {});
    }
    runningTimelines.delete(id);
  }

  const keepOnly = (ids: ReadonlySet<string>): void => {
    for (const [id, runState] of runningTimelines) if (!ids.has(id)) runState.isOver = true;
  };
  return {
    size: () => runningTimelines.size,
    keepOnly,
    start(id: string) {
      const state = { isOver: false, donePromise: Promise.resolve() };
      runningTimelines.set(id, state);
      state.donePromise = run(id, () => state.isOver);
    },
    async release() {
      keepOnly(new Set());
      await Promise.all([...runningTimelines.values()].map(({ donePromise }) => donePromise));
    },
  };
}
