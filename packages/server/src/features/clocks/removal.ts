import { sandboxClockMachine } from '@florin/contract/machines/sandbox-clock.ts';
import type { RequestContext } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { updaterOf } from '../records/plain.ts';
import type { Decision, UpdateItem, Updater } from '../records/updater.ts';
import { wrongState } from '../records/wrong-state.ts';
import { clocksInSync } from '../timelines/sql/sandbox-clocks.ts';
import { awaitClockSync } from './advance.ts';

/**
 * `PATCH /v2/sandbox_clocks/{id}/remove`: the subject returns to its merchant's clock or the system
 * clock. Both must show the same time: no work is repeated, late or in the past. Responds once
 * every process has read the removal.
 */
export async function removeClock(
  services: Services,
  update: Updater,
  { scope, if_match, idempotency }: RequestContext,
  id: string,
): Promise<Row> {
  const row = await update({ scope, id, if_match, idempotency, decide: decideRemoval });
  services.timelines.wake.raise();
  await awaitClockSync(services);
  return row;
}

/** Updater for removals. Throws if the clock to which the subject returns shows another time. */
export const removalUpdater = (services: Services, model: Model): Updater =>
  updaterOf(services, model, { refuse: findUnsyncedClocks });

function decideRemoval(clock: Row, now: Micros): Decision {
  if (clock.status !== sandboxClockMachine.initial) throw wrongStateError(clock.status as string);
  return { trigger: 'remove', set: { removed_at: instantText(now) }, events: [] };
}

const wrongStateError = (state: string): Error =>
  wrongState({ noun: 'sandbox clock', state, actions: [] }, 'remove');

async function findUnsyncedClocks(
  tx: Db,
  items: readonly UpdateItem[],
): Promise<ReadonlyMap<UpdateItem, Error>> {
  const syncedIds = new Set(
    (await clocksInSync(tx, items.map(keyOfItem))).map(({ id }) => id as string),
  );
  const unsyncedItems = items.filter(({ id }) => !syncedIds.has(id));
  return new Map(unsyncedItems.map((item) => [item, unsyncedError()]));
}

const keyOfItem = ({ scope: { merchant_id }, id }: UpdateItem) => ({ merchant_id, id });

const unsyncedError = (): Error =>
  wrongState(
    { noun: 'sandbox clock', state: 'ready', actions: ['advance'] },
    'remove',
    'The clock is ahead of its default time, and removing it would turn time back. Possible now: advance.',
  );
