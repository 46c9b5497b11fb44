import { instantText, type Micros, microsOf, seconds } from '../../kernel/clock.ts';
import type { Db } from '../../store/db.ts';
import type { Row } from '../../store/row.ts';
import { claimReset, noteProgress, requestReset } from '../../store/sandbox-resets.ts';
import {
  allowRemoval,
  disownSettlements,
  emptyClocks,
  isSandboxEmpty,
  removableMethods,
  removeEvents,
  removeMethods,
  removeNotes,
  removeOldClocks,
  removePayments,
  removePayouts,
  removeRecords,
} from '../../store/sandbox-rows.ts';
import { transition } from '../../store/transition.ts';
import type { Services } from '../services.ts';

/** Rows of each kind that one step removes. */
const BATCH_MAX = 100;
/** A process that dies leaves the rest of a reset to others after this long. */
const LEASE_SECONDS = 30;
/** How long what is under way is waited for. */
const PATIENCE_SECONDS = 60;
/** After that a reset ends, whatever programs go on making. */
const LONGEST_SECONDS = 600;
/** How soon it is looked again where nothing could be removed. */
const PAUSE_SECONDS = 1;
/** Every process has heard by then that a clock was removed. */
const KNOWN_SECONDS = 40;

/** Asks for the sandbox of a merchant to be emptied: keys, members, webhook subscriptions and rules stay. */
export const startReset = ({ db, machine }: Services, merchant_id: string): Promise<Row> =>
  requestReset(db, merchant_id, {
    now: instantText(machine.now()),
    patient_until: instantText(machine.now() + seconds(PATIENCE_SECONDS)),
  });

/**
 * Does the next step of the reset that is due, if there is one: each is a transaction of its own, so that a reset goes on
 * where a process died. Returns whether there may be more to do at once.
 */
export async function resetStep(services: Services): Promise<boolean> {
  const { db, machine } = services;
  const now = machine.now();
  const lease_until = instantText(now + seconds(LEASE_SECONDS));
  const reset = await claimReset(db, { now: instantText(now), lease_until });
  if (!reset) return false;
  const merchant_id = reset.merchant_id as string;
  const removed = await removeSome(services, reset, now);
  const isOver = removed === 0 && (await mayEnd(db, reset, now));
  if (isOver) await db.transaction((tx) => disownSettlements(tx, merchant_id));
  await noteProgress(db, merchant_id, {
    removed,
    due_at: isOver ? null : instantText(now + (removed === 0 ? seconds(PAUSE_SECONDS) : 0)),
    now: instantText(machine.now()),
  });
  return removed > 0;
}

async function mayEnd(db: Db, { merchant_id, requested_at }: Row, now: Micros): Promise<boolean> {
  const longest = microsOf(requested_at as string) + seconds(LONGEST_SECONDS);
  return now > longest || isSandboxEmpty(db, merchant_id as string);
}

/** A batch of each kind, those that others point to last. Returns how many rows went. */
async function removeSome(services: Services, reset: Row, now: Micros): Promise<number> {
  const { db } = services;
  const removal = { merchant_id: reset.merchant_id as string, limit: BATCH_MAX };
  const isLost = now > microsOf(reset.patient_until as string);
  const once = (remove: (tx: Db) => Promise<number>): Promise<number> =>
    db.transaction(async (tx) => {
      await allowRemoval(tx, removal.merchant_id);
      return remove(tx);
    });
  const removed = [
    await once((tx) => removePayments(tx, removal, isLost)),
    await once((tx) => removePayouts(tx, removal)),
    await removeCards(services, removal),
    await once((tx) => removeRecords(tx, removal)),
    await once((tx) => removeEvents(tx, removal)),
    await once((tx) => removeNotes(tx, removal)),
    await once((tx) => dissolveClocks(services, tx, removal, now)),
  ];
  return removed.reduce((sum, count) => sum + count, 0);
}

type Removal = Parameters<typeof removableMethods>[1];

/** The vault destroys cards before it is forgotten here that there were any. */
async function removeCards({ db, relay }: Services, removal: Removal): Promise<number> {
  const methods = await removableMethods(db, removal);
  for (const { merchant_id, mode, card_pan_token } of methods) {
    const answer = await relay.destroy({
      merchant_id: merchant_id as string,
      mode: mode as 'sandbox',
      card_pan_token: card_pan_token as string,
    });
    if ('error' in answer && answer.error !== 'unknown_token') throw new Error(answer.detail);
  }
  if (methods.length === 0) return 0;
  return db.transaction((tx) =>
    removeMethods(
      tx,
      removal.merchant_id,
      methods.map(({ id }) => id),
    ),
  );
}

/** Clocks that nothing goes by are removed as anybody would remove them, and their rows once that is known everywhere. */
async function dissolveClocks(
  { catalog, worlds }: Services,
  tx: Db,
  removal: Removal,
  now: Micros,
): Promise<number> {
  const at = instantText(now);
  const clocks = await emptyClocks(tx, removal);
  await transition(
    tx,
    catalog,
    { table: 'sandbox_clocks', at, eventsOf: () => [] },
    clocks.map((before) => ({ before, trigger: 'remove', set: { removed_at: at } })),
  );
  if (clocks.length > 0) worlds.wake.raise();
  const known = instantText(now - seconds(KNOWN_SECONDS));
  return clocks.length + (await removeOldClocks(tx, removal.merchant_id, known));
}
