import { setTimeout as sleep } from 'node:timers/promises';
import { instantText } from '../../../platform/time/clock.ts';
import { worldWork } from '../../timelines/sql/world-work.ts';
import { type Held, walk } from '../walk.ts';

/** A timeline without work is released after this time. */
const IDLE_MS = 2_000;
const LOOK_MS = 100;

/** Runs a timeline's clock to its target, until there has been no work for a while. */
export async function attend(held: Held): Promise<void> {
  const { worlds } = held.base;
  for (let idle_ms = 0; !held.isOver() && idle_ms < IDLE_MS; ) {
    const world = worlds.find(held.world.id) ?? held.world;
    if (world.target_at !== null) {
      await walk({ ...held, world });
      await worlds.refresh();
    }
    idle_ms = (await isBusy(held)) ? 0 : idle_ms + LOOK_MS;
    await sleep(LOOK_MS);
  }
}

async function isBusy({ world, delivering }: Held): Promise<boolean> {
  const { db, clock } = world.services;
  const work = await worldWork(db, world, instantText(clock.now()));
  return work.busy || work.delivering || delivering() > 0;
}
