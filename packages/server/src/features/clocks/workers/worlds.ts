import { randomUUID } from 'node:crypto';
import { instantText } from '../../../platform/time/clock.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services, World } from '../../../services.ts';
import { holdClocks, releaseClock, renewHolds } from '../../timelines/sql/sandbox-clocks.ts';
import { attend } from './attend.ts';

/** Timelines that one process runs concurrently; further ones wait, or run elsewhere. */
const WORLDS_MAX = 8;
/** Lease of a timeline, in seconds: if the process dies, others run it afterwards. */
const HOLD_S = 5;
/** Timelines checked in turn at each poll, beside those that were woken. */
const LOOKED_AT_MAX = 200;
const RENEW_MS = (HOLD_S * 1_000) / 4;

/** The loops of one timeline. */
export interface WorldLoops extends AsyncDisposable {
  /** Number of webhook messages in flight. */
  delivering(): number;
}

type StartLoops = (world: World) => WorldLoops;

/**
 * Runs timelines with advanced clocks, at their own times. Each is leased to one process at a time,
 * and only while it has work.
 */
export function startWorldsLoop(services: Services, startLoops: StartLoops): AsyncDisposable {
  const { db, clock, config, worlds } = services;
  const hold = { holder: randomUUID(), hold_s: HOLD_S };
  const crew = createCrew(services, hold.holder, startLoops);
  let renewedAt = Number.NEGATIVE_INFINITY;

  async function renew(): Promise<void> {
    const now = config.monotonic_ms();
    if (now - renewedAt > HOLD_S * 1_000) crew.keep(new Set());
    if (crew.size() === 0) renewedAt = now;
    if (now - renewedAt < RENEW_MS) return;
    crew.keep(new Set((await renewHolds(db, hold)).map(({ id }) => id as string)));
    renewedAt = now;
  }

  async function take(): Promise<void> {
    const limit = WORLDS_MAX - crew.size();
    if (limit <= 0 || worlds.size === 0) return;
    const keys = worlds.next(LOOKED_AT_MAX);
    const now = instantText(clock.now());
    const taken = await holdClocks(db, { ...hold, now, limit, keys });
    for (const { id } of taken) crew.start(id as string);
  }

  const loop = startLoop({
    name: 'worlds',
    logger: services.logger,
    pulses: services.pulses,
    wake: worlds.wake,
    poll_ms: config.work_poll_ms,
    async step() {
      await worlds.refresh();
      await renew();
      await take();
      return false;
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      await crew.leave();
    },
  };
}

/** The timelines that this process runs. */
function createCrew(services: Services, holder: string, startLoops: StartLoops) {
  const { db, logger, worlds } = services;
  const running = new Map<string, { over: boolean; readonly done: Promise<void> }>();

  async function work(world: World, isOver: () => boolean): Promise<void> {
    try {
      world.attend(true);
      await using loops = startLoops(world);
      await attend({ world, holder, base: services, delivering: loops.delivering, isOver });
    } catch (error) {
      const err = { message: (error as Error).message };
      logger.error({ world: world.id, err }, 'a world was left');
    } finally {
      world.attend(false);
    }
  }

  /** A lease that cannot be released expires, as does that of a removed clock. */
  async function attendTo(id: string, isOver: () => boolean): Promise<void> {
    const world = worlds.find(id);
    if (world) {
      await work(world, isOver);
      await releaseClock(db, holder, world).catch(() => {});
    }
    running.delete(id);
  }

  const keep = (ids: ReadonlySet<string>): void => {
    for (const [id, one] of running) if (!ids.has(id)) one.over = true;
  };
  return {
    size: () => running.size,
    keep,
    start(id: string) {
      const state = { over: false, done: Promise.resolve() };
      running.set(id, state);
      state.done = attendTo(id, () => state.over);
    },
    async leave() {
      keep(new Set());
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
