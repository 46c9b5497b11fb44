import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { transition } from '../../platform/database/transition.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { type CardDestruction, destroyCard } from '../payment-methods/destroy-card.ts';
import { claimReset, noteProgress, type Progress, requestReset } from './sql/sandbox-resets.ts';
import {
  allowRemoval,
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
  unassignSettlements,
} from './sql/sandbox-rows.ts';

/** Rows of each kind that one step removes. */
const BATCH_MAX = 100;
/** Lease of a step: if the process dies, another continues the reset afterwards. */
const LEASE_SECONDS = 30;
/**
 * Latest start of a card's destruction in a step, so that the vault's time does not outlast the
 * lease.
 */
const CARDS_SECONDS = 10;
/** Longest wait for work in flight. */
const WAIT_SECONDS = 60;
/** After this time a reset ends, even if programs go on creating records. */
const LONGEST_SECONDS = 600;
/** Wait after a step that removed nothing; doubles each time if cards cannot be destroyed. */
const PAUSE_SECONDS = 1;
/**
 * Consecutive fruitless rounds over undestroyable cards, after which the reset ends without them.
 */
const STUCK_STEPS_MAX = 5;
/** By then every process knows that a clock was removed. */
const KNOWN_SECONDS = 40;

/**
 * Requests a reset of a merchant's sandbox: keys, members, webhook subscriptions and rules stay.
 */
export const startReset = ({ db, system_clock }: Services, merchant_id: string): Promise<Row> =>
  requestReset(db, merchant_id, {
    now: instantText(system_clock.now()),
    patient_until: instantText(system_clock.now() + seconds(WAIT_SECONDS)),
  });

/**
 * Runs the next step of the due reset, if there is one. Each step is a transaction, so that a reset
 * survives crashes. Returns whether there may be more to do now.
 */
export async function resetStep(services: Services): Promise<boolean> {
  const { db, system_clock } = services;
  const now = system_clock.now();
  const lease_until = instantText(now + seconds(LEASE_SECONDS));
  const reset = await claimReset(db, { now: instantText(now), lease_until });
  if (!reset) return false;
  const merchant_id = reset.merchant_id as string;
  const { removed, kept, cards_after } = await removeSome(services, reset, now);
  const stuck_steps = stuckSteps(reset, { removed, kept, cards_after });
  const isOver = removed === 0 && (await mayEnd(db, reset, { stuck_steps, cards_after }, now));
  if (isOver) await db.transaction((tx) => unassignSettlements(tx, merchant_id));
  if (isOver && kept > 0)
    services.logger.error({ merchant_id, kept }, 'cards not destroyed by a reset');
  const continues = removed > 0 || cards_after !== null;
  const wait = continues ? 0 : seconds(PAUSE_SECONDS * 2 ** stuck_steps);
  await noteProgress(db, merchant_id, {
    lease_until: reset.due_at as string,
    removed,
    stuck_steps,
    kept_cards: kept,
    cards_after,
    due_at: isOver ? null : instantText(now + wait),
    now: instantText(system_clock.now()),
  });
  return continues && !isOver;
}

/** Consecutive fruitless rounds over the cards, with this step's if it ends one. */
function stuckSteps({ stuck_steps }: Row, { removed, kept, cards_after }: Step): number {
  if (removed > 0 || kept === 0) return 0;
  return Number(stuck_steps) + (cards_after === null ? 1 : 0);
}

/** Once no other work remains, undestroyable cards delay the end for a few steps only. */
async function mayEnd(
  db: Db,
  { merchant_id, requested_at, patient_until }: Row,
  { stuck_steps, cards_after }: Pick<Progress, 'stuck_steps' | 'cards_after'>,
  now: Micros,
): Promise<boolean> {
  const longest = microsOf(requested_at as string) + seconds(LONGEST_SECONDS);
  if (now > longest) return true;
  const mayWait = now <= microsOf(patient_until as string);
  if (cards_after !== null) return false;
  if (!mayWait && stuck_steps >= STUCK_STEPS_MAX) return true;
  return isSandboxEmpty(db, merchant_id as string);
}

/** Result of a step. */
interface Step {
  /** Number of removed rows. */
  readonly removed: number;
  /** Cards that the vault could not destroy in this round. */
  readonly kept: number;
  /** The last tried card, if there are more. */
  readonly cards_after: string | null;
}

/** Removes a batch of each kind, referenced rows last. */
async function removeSome(services: Services, reset: Row, now: Micros): Promise<Step> {
  const { db } = services;
  const removal = { merchant_id: reset.merchant_id as string, limit: BATCH_MAX };
  const isLost = now > microsOf(reset.patient_until as string);
  const once = (remove: (tx: Db) => Promise<number>): Promise<number> =>
    db.transaction(async (tx) => {
      await allowRemoval(tx, removal.merchant_id);
      return remove(tx);
    });
  const before = [
    await once((tx) => removePayments(tx, removal, isLost)),
    await once((tx) => removePayouts(tx, removal)),
  ];
  const cards = await removeCards(services, removal, reset);
  const after = [
    await once((tx) => removeRecords(tx, removal)),
    await once((tx) => removeEvents(tx, removal)),
    await once((tx) => removeNotes(tx, removal)),
    await once((tx) => deleteClocks(services, tx, removal, now)),
  ];
  const counts = [...before, cards.removed, ...after];
  return { ...cards, removed: counts.reduce((sum, count) => sum + count, 0) };
}

type Removal = Parameters<typeof removableMethods>[1];

/**
 * The vault destroys cards before their rows are deleted. Undestroyable ones stay, and do not block
 * others.
 */
async function removeCards(services: Services, removal: Removal, reset: Row): Promise<Step> {
  const after = (reset.cards_after ?? null) as string | null;
  const methods = await removableMethods(services.db, removal, after);
  const { tried, gone } = await destroyed(services, methods);
  const kept = (after === null ? 0 : Number(reset.kept_cards)) + tried.length - gone.length;
  const hasMore = tried.length < methods.length || methods.length === removal.limit;
  const cards_after = hasMore ? (tried.at(-1)?.id as string) : null;
  if (gone.length === 0) return { removed: 0, kept, cards_after };
  const ids = gone.map(({ id }) => id);
  const remove = (tx: Db): Promise<number> => removeMethods(tx, removal.merchant_id, ids);
  return { removed: await services.db.transaction(remove), kept, cards_after };
}

/**
 * Cards destroyed within the time of a step, at least one tried, and those that the vault no longer
 * has.
 */
async function destroyed(services: Services, methods: readonly Row[]) {
  const { system_clock } = services;
  const [tried, gone]: [Row[], Row[]] = [[], []];
  const until = system_clock.now() + seconds(CARDS_SECONDS);
  for (const method of methods) {
    if (tried.length > 0 && system_clock.now() > until) break;
    tried.push(method);
    if (await isDestroyed(services, method)) gone.push(method);
  }
  return { tried, gone };
}

/** Whether the vault no longer has the card. */
async function isDestroyed(
  { relay, logger }: Services,
  { id, merchant_id, mode, card_pan_token }: Row,
): Promise<boolean> {
  try {
    await destroyCard(relay, { merchant_id, mode, card_pan_token } as unknown as CardDestruction);
    return true;
  } catch (error) {
    const err = { message: (error as Error).message };
    logger.warn({ payment_method: id, err }, 'a card of an emptied sandbox was not destroyed');
    return false;
  }
}

/**
 * Removes unused clocks through their normal action, and deletes their rows once every process
 * knows.
 */
async function deleteClocks(
  { catalog, timelines }: Services,
  tx: Db,
  removal: Removal,
  now: Micros,
): Promise<number> {
  const at = instantText(now);
  const clocks = await emptyClocks(tx, removal);
  await transition(
    tx,
    catalog,
    { table: 'sandbox_clocks', at },
    clocks.map((before) => ({ before, trigger: 'remove', set: { removed_at: at } })),
  );
  if (clocks.length > 0) timelines.wake.raise();
  const known = instantText(now - seconds(KNOWN_SECONDS));
  return clocks.length + (await removeOldClocks(tx, removal.merchant_id, known));
}
