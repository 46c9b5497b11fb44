import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { transition } from '../../platform/database/transition.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { type CardRequest, destroyCard } from '../payment-methods/destroy-card.ts';
import { claimReset, noteProgress, type Progress, requestReset } from './sql/sandbox-resets.ts';
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
} from './sql/sandbox-rows.ts';

/** Rows of each kind that one step removes. */
const BATCH_MAX = 100;
/** A process that dies leaves the rest of a reset to others after this long. */
const LEASE_SECONDS = 30;
/** No card is begun with later in a step: what the vault takes its time for must not outlast the lease. */
const CARDS_SECONDS = 10;
/** How long what is under way is waited for. */
const PATIENCE_SECONDS = 60;
/** After that a reset ends, whatever programs go on making. */
const LONGEST_SECONDS = 600;
/** How soon it is looked again where nothing could be removed; each time twice as late where cards cannot be destroyed. */
const PAUSE_SECONDS = 1;
/** Rounds in a row that came to nothing for cards that cannot be destroyed: then it ends without them. */
const STUCK_STEPS_MAX = 5;
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
  const { removed, kept, cards_after } = await removeSome(services, reset, now);
  const stuck_steps = stuckSteps(reset, { removed, kept, cards_after });
  const isOver = removed === 0 && (await mayEnd(db, reset, { stuck_steps, cards_after }, now));
  if (isOver) await db.transaction((tx) => disownSettlements(tx, merchant_id));
  if (isOver && kept > 0) services.logger.error({ merchant_id, kept }, 'cards outlasted a reset');
  const goesOn = removed > 0 || cards_after !== null;
  const wait = goesOn ? 0 : seconds(PAUSE_SECONDS * 2 ** stuck_steps);
  await noteProgress(db, merchant_id, {
    lease_until: reset.due_at as string,
    removed,
    stuck_steps,
    kept_cards: kept,
    cards_after,
    due_at: isOver ? null : instantText(now + wait),
    now: instantText(machine.now()),
  });
  return goesOn && !isOver;
}

/** Rounds through the cards that came to nothing in a row, this step's included where it ends one. */
function stuckSteps({ stuck_steps }: Row, { removed, kept, cards_after }: Step): number {
  if (removed > 0 || kept === 0) return 0;
  return Number(stuck_steps) + (cards_after === null ? 1 : 0);
}

/** Once nothing is waited for any more, cards that cannot be destroyed hold it up for some steps alone. */
async function mayEnd(
  db: Db,
  { merchant_id, requested_at, patient_until }: Row,
  { stuck_steps, cards_after }: Pick<Progress, 'stuck_steps' | 'cards_after'>,
  now: Micros,
): Promise<boolean> {
  const longest = microsOf(requested_at as string) + seconds(LONGEST_SECONDS);
  if (now > longest) return true;
  const isPatient = now <= microsOf(patient_until as string);
  if (cards_after !== null) return false;
  if (!isPatient && stuck_steps >= STUCK_STEPS_MAX) return true;
  return isSandboxEmpty(db, merchant_id as string);
}

/** What a step came to. */
interface Step {
  /** Rows that went. */
  readonly removed: number;
  /** Cards that the vault could not destroy, in this round through all of them. */
  readonly kept: number;
  /** The last card that was tried where there are more. */
  readonly cards_after: string | null;
}

/** A batch of each kind, those that others point to last. */
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
    await once((tx) => dissolveClocks(services, tx, removal, now)),
  ];
  const counts = [...before, cards.removed, ...after];
  return { ...cards, removed: counts.reduce((sum, count) => sum + count, 0) };
}

type Removal = Parameters<typeof removableMethods>[1];

/** The vault destroys cards before it is forgotten here that there were any. Those that it cannot destroy stay, and hold up no others. */
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

/** Those that were tried within the time of a step, one at least, and those that the vault has no more. */
async function destroyed(services: Services, methods: readonly Row[]) {
  const { machine } = services;
  const [tried, gone]: [Row[], Row[]] = [[], []];
  const until = machine.now() + seconds(CARDS_SECONDS);
  for (const method of methods) {
    if (tried.length > 0 && machine.now() > until) break;
    tried.push(method);
    if (await isDestroyed(services, method)) gone.push(method);
  }
  return { tried, gone };
}

/** Whether the vault has the card no more. */
async function isDestroyed(
  { relay, logger }: Services,
  { id, merchant_id, mode, card_pan_token }: Row,
): Promise<boolean> {
  try {
    await destroyCard(relay, { merchant_id, mode, card_pan_token } as unknown as CardRequest);
    return true;
  } catch (error) {
    const err = { message: (error as Error).message };
    logger.warn({ payment_method: id, err }, 'a card of an emptied sandbox was not destroyed');
    return false;
  }
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
