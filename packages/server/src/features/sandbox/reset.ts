import type { Database, Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { transition } from '../../platform/database/transition.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { type CardDestruction, destroyCard } from '../payment-methods/destroy-card.ts';
import { removeDocumentCounters } from './sql/document-counters.ts';
import { claimReset, noteProgress, type Progress, requestReset } from './sql/sandbox-resets.ts';
import {
  allowRemoval,
  type CardPosition,
  emptyClocks,
  isSandboxEmpty,
  removableMethods,
  removeEvents,
  removeMetadata,
  removeMethods,
  removeOldClocks,
  removePayments,
  removePayouts,
  removeRecords,
} from './sql/sandbox-rows.ts';
import { unassignSettlements } from './sql/settlement-lines.ts';

/** Maximum number of rows of each kind that one step removes. */
const BATCH_MAX = 100;
/** Maximum number of settlement lines of each kind that one step detaches. */
const LINES_MAX = 5_000;
/**
 * Lease of a step in seconds. If the process dies, another process continues the reset when the
 * lease ends.
 */
const LEASE_SECONDS = 30;
/**
 * Seconds after which a step destroys no further card. Shorter than the lease, because the vault
 * may be slow.
 */
const CARDS_SECONDS = 10;
/** Seconds that a reset waits for messages in flight. */
const WAIT_SECONDS = 60;
/** Seconds after which a reset ends, even if clients keep creating records. */
const RESET_SECONDS_MAX = 600;
/**
 * Seconds between steps that remove nothing. Doubles with each round in which the vault destroys no
 * card.
 */
const PAUSE_SECONDS = 1;
/**
 * Number of consecutive rounds without a destroyed card after which the reset ends without these
 * cards.
 */
const STUCK_STEPS_MAX = 5;
/** Seconds after which every process knows that a clock was removed. */
const KNOWN_SECONDS = 40;

/**
 * Requests a reset of a merchant's sandbox. Keys, members, webhook subscriptions and risk rules
 * stay.
 */
export const startReset = ({ db, system_clock }: Services, merchant_id: string): Promise<Row> =>
  requestReset(db, merchant_id, {
    now: instantText(system_clock.now()),
    patient_until: instantText(system_clock.now() + seconds(WAIT_SECONDS)),
  });

/**
 * Runs the next step of the due reset. Steps run in short transactions, so that a reset survives
 * crashes. Returns whether more work is due now.
 */
export async function resetStep(services: Services): Promise<boolean> {
  const { db, system_clock } = services;
  const now = system_clock.now();
  const lease_until = instantText(now + seconds(LEASE_SECONDS));
  const reset = await claimReset(db, { now: instantText(now), lease_until });
  if (!reset) return false;
  const merchant_id = reset.merchant_id as string;
  const { removed, isFull, kept, cards_after } = await removeSome(services, reset, now);
  const stuck_steps = stuckSteps(reset, { removed, kept, cards_after });
  const isEmpty =
    removed === 0
      ? await mayEnd(db, reset, { stuck_steps, cards_after }, now)
      : !isFull && isLate(reset, now);
  const hasMoreLines = isEmpty && (await unassignLines(db, merchant_id));
  const isOver = isEmpty && !hasMoreLines;
  if (isOver && kept > 0) services.logger.error({ merchant_id, kept }, UNDESTROYED);
  const continues = removed > 0 || cards_after !== null || hasMoreLines;
  const waitMicros = continues ? 0 : seconds(PAUSE_SECONDS * 2 ** stuck_steps);
  await noteProgress(db, merchant_id, {
    lease_until: reset.due_at as string,
    removed,
    stuck_steps,
    kept_cards: kept,
    cards_after,
    due_at: isOver ? null : instantText(now + waitMicros),
    now: instantText(system_clock.now()),
  });
  return continues && !isOver;
}

/** Detaches a slice of the lines of settlement. Returns whether more may follow. */
async function unassignLines(db: Database, merchant_id: string): Promise<boolean> {
  const slice = { merchant_id, limit: LINES_MAX };
  return (await db.transaction((tx) => unassignSettlements(tx, slice))) === LINES_MAX;
}

const UNDESTROYED = 'sandbox reset ended with undestroyed cards: reset again when the vault works';

/**
 * Number of consecutive rounds without a destroyed card. A round takes several steps; only its last
 * step counts.
 */
function stuckSteps({ stuck_steps }: Row, { removed, kept, cards_after }: CardStep): number {
  if (removed > 0 || kept === 0) return 0;
  return Number(stuck_steps) + (cards_after === null ? 1 : 0);
}

/** Whether the reset ends although clients keep creating records. */
const isLate = ({ requested_at }: Row, now: Micros): boolean =>
  now > microsOf(requested_at as string) + seconds(RESET_SECONDS_MAX);

/**
 * Whether the reset can end. Once no other work remains, cards that the vault cannot destroy delay
 * the end by a few rounds only.
 */
async function mayEnd(
  db: Db,
  reset: Row,
  { stuck_steps, cards_after }: Pick<Progress, 'stuck_steps' | 'cards_after'>,
  now: Micros,
): Promise<boolean> {
  if (isLate(reset, now)) return true;
  const mayWait = now <= microsOf(reset.patient_until as string);
  if (cards_after !== null) return false;
  if (!mayWait && stuck_steps >= STUCK_STEPS_MAX) return true;
  return isSandboxEmpty(db, reset.merchant_id as string);
}

interface Step {
  readonly removed: number;
  /** Whether a kind had a full batch. Otherwise all that is left was created meanwhile. */
  readonly isFull: boolean;
  /** Cards that the vault has failed to destroy in this round so far. */
  readonly kept: number;
  /** Last card of this step. The next step continues after it; null if the round is finished. */
  readonly cards_after: CardPosition | null;
}

/**
 * Removes a batch of each kind. Rows that others reference come last: cards wait for the last batch of payments, other
 * records for the last batch of cards. Looking for unreferenced rows earlier would read all of the sandbox.
 */
async function removeSome(services: Services, reset: Row, now: Micros): Promise<Step> {
  const { db } = services;
  const removal = { merchant_id: reset.merchant_id as string, limit: BATCH_MAX };
  const mayRemoveOpen = now > microsOf(reset.patient_until as string);
  const removeOnce = (remove: (tx: Db) => Promise<number>): Promise<number> =>
    db.transaction(async (tx) => {
      await allowRemoval(tx, removal.merchant_id);
      return remove(tx);
    });
  const payments = await removeOnce((tx) => removePayments(tx, removal, mayRemoveOpen));
  const cards =
    payments === BATCH_MAX ? untouched(reset) : await removeCards(services, removal, reset);
  const hasMoreCards = payments === BATCH_MAX || cards.removed === BATCH_MAX;
  const counts = [
    await removeOnce((tx) => removePayouts(tx, removal)),
    hasMoreCards ? 0 : await removeOnce((tx) => removeRecords(tx, removal)),
    await removeOnce((tx) => removeEvents(tx, removal)),
    await removeOnce((tx) => removeMetadata(tx, removal)),
    await removeOnce((tx) => removeDocumentCounters(tx, removal.merchant_id)),
    await removeOnce((tx) => deleteClocks(services, tx, removal, now)),
  ];
  const all = [payments, cards.removed, ...counts];
  return {
    ...cards,
    removed: all.reduce((sum, count) => sum + count),
    isFull: all.some((count) => count >= BATCH_MAX),
  };
}

/** The cards of a step that removes none yet. */
const untouched = (reset: Row): CardStep => ({
  removed: 0,
  kept: Number(reset.kept_cards),
  cards_after: cardsAfter(reset),
});

const cardsAfter = ({ cards_after: id, cards_after_at: created_at }: Row): CardPosition | null =>
  id && created_at ? { id, created_at } : null;

type CardStep = Omit<Step, 'isFull'>;
type Removal = Parameters<typeof removableMethods>[1];

/**
 * Destroys cards in the vault, then deletes their rows. A card that the vault cannot destroy keeps
 * its row and does not block others.
 */
async function removeCards(services: Services, removal: Removal, reset: Row): Promise<CardStep> {
  const previousCard = cardsAfter(reset);
  const methods = await removableMethods(services.db, removal, previousCard);
  const { attempted, destroyed } = await destroyCards(services, methods);
  const kept_cards =
    (previousCard === null ? 0 : Number(reset.kept_cards)) + attempted.length - destroyed.length;
  const hasMore = attempted.length < methods.length || methods.length === removal.limit;
  const { id, created_at } = attempted.at(-1) ?? {};
  const cards_after = hasMore && id && created_at ? { id, created_at } : null;
  if (destroyed.length === 0) return { removed: 0, kept: kept_cards, cards_after };
  const ids = destroyed.map(({ id }) => id);
  const removeAttempted = (tx: Db): Promise<number> => removeMethods(tx, removal.merchant_id, ids);
  return { removed: await services.db.transaction(removeAttempted), kept: kept_cards, cards_after };
}

/**
 * Destroys at least one card, and further cards for `CARDS_SECONDS`. `destroyed` lists cards that the
 * vault no longer has.
 */
async function destroyCards(services: Services, methods: readonly Row[]) {
  const { system_clock } = services;
  const attemptedMethods: Row[] = [];
  const destroyed: Row[] = [];
  const deadline = system_clock.now() + seconds(CARDS_SECONDS);
  for (const method of methods) {
    if (attemptedMethods.length > 0 && system_clock.now() > deadline) break;
    attemptedMethods.push(method);
    if (await isDestroyed(services, method)) destroyed.push(method);
  }
  return { attempted: attemptedMethods, destroyed };
}

/** Destroys a card. Returns whether the vault no longer has it. */
async function isDestroyed(
  { relay, logger }: Services,
  { id, merchant_id, mode, card_pan_token }: Row,
): Promise<boolean> {
  try {
    await destroyCard(relay, { merchant_id, mode, card_pan_token } as unknown as CardDestruction);
    return true;
  } catch (error) {
    const err = { message: (error as Error).message };
    logger.warn({ payment_method: id, err }, 'card not destroyed by a sandbox reset');
    return false;
  }
}

/**
 * Removes unused clocks with their normal action. Deletes the rows of removed clocks once every
 * process knows of the removal.
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
    clocks.map((clock) => ({ before: clock, trigger: 'remove', set: { removed_at: at } })),
  );
  if (clocks.length > 0) timelines.wake.raise();
  const removedBefore = instantText(now - seconds(KNOWN_SECONDS));
  return clocks.length + (await removeOldClocks(tx, removal.merchant_id, removedBefore));
}
