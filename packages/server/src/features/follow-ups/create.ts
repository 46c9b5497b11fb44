import { createBatcher } from '../../platform/concurrency/batcher.ts';
import { insertRecords } from '../../platform/database/create.ts';
import type { Db } from '../../platform/database/db.ts';
import type { IdempotencyKey } from '../../platform/database/idempotency.ts';
import { repeatUncertain } from '../../platform/database/repeat.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText } from '../../platform/database/row-key.ts';
import { findRowsByKey } from '../../platform/database/rows.ts';
import { scopeOf, scopeText } from '../../platform/database/scope.ts';
import { lockRows } from '../../platform/database/transition.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { applyDemandDecisions } from '../attempts/apply-demand-decisions.ts';
import { paymentOf } from '../ledger/payment-of.ts';
import { authorisationsOf } from '../payments/sql/authorisations.ts';
import { eventAbout } from '../records/emit.ts';
import { keyTaken } from '../records/keys.ts';
import { relationshipNotFound } from '../records/references.ts';
import type { Decision } from '../records/updater.ts';
import type { FollowUpKind } from './kinds.ts';
import { postFollowUps } from './post.ts';

interface Item {
  /** Row of the requested refund or capture. */
  readonly record: Row;
  readonly idempotency: IdempotencyKey | undefined;
}

/** A new follow-up with the change of its payment. */
export interface NewFollowUp {
  readonly row: Row;
  readonly payment: Decision;
}

/**
 * Decides about a follow-up of a locked payment and its approved authorisation, a row of
 * `authorisationsOf`, if there is one. Throws a `ProblemError` if the follow-up is refused.
 */
export type DecideFollowUp = (
  record: Row,
  payment: Row,
  authorisation: Row | undefined,
  now: Micros,
) => NewFollowUp;

/** Stores a follow-up. Rejects with a `ProblemError` if it is refused. */
export type FollowUpStore = (item: Item) => Promise<Row>;

/**
 * Gathers concurrent follow-ups. Follow-ups of different payments share a transaction. Follow-ups
 * of one payment run in sequence.
 */
export const createFollowUpStore = (
  services: Services,
  kind: FollowUpKind,
  decide: DecideFollowUp,
): FollowUpStore =>
  createBatcher({
    run: (items: readonly Item[]) =>
      repeatUncertain(() => storeFollowUps(services, kind, decide, items)),
    keyOf: ({ record }) => keyText(paymentOf(record)),
    ownerOf: ({ record }) => scopeText(scopeOf(record)),
    queue_max: services.config.waiting_max,
  });

/** Stores a refund or capture and wakes its worker. */
export async function createFollowUp(
  { wake }: Services,
  { operation }: FollowUpKind,
  store: FollowUpStore,
  item: Item,
): Promise<Row> {
  const row = await store(item);
  wake[operation].raise();
  wake.deliver.raise();
  return row;
}

/**
 * Stores follow-ups within the amounts of their payments. Payments stay locked from the check until
 * the commit. Ignores items that an earlier try has stored.
 */
const storeFollowUps = (
  services: Services,
  kind: FollowUpKind,
  decide: DecideFollowUp,
  items: readonly Item[],
): Promise<(Row | Error)[]> =>
  services.db.transaction((tx) => storeFollowUpsIn(services, tx, { kind, decide }, items));

/** Stores follow-ups in the caller's transaction. Returns their rows, or why they are refused. */
export async function storeFollowUpsIn(
  services: Services,
  tx: Db,
  { kind, decide }: { readonly kind: FollowUpKind; readonly decide: DecideFollowUp },
  items: readonly Item[],
): Promise<(Row | Error)[]> {
  const payments = await lockPayments(tx, items);
  const rowsBefore = await findStored(tx, kind, items);
  const newItems = items.filter(({ record }) => !rowsBefore.has(keyText(record)));
  const now = services.clock.now();
  const decisions = new Map(
    newItems.map((item) => [item, decideItem(decide, item, payments, now)] as const),
  );
  await insertAll(services, tx, kind, decisions);
  const storedRows = await findStored(tx, kind, items);
  const creations = [...decisions].flatMap(([{ record }, decision]) =>
    decision instanceof Error || !storedRows.has(keyText(record)) ? [] : [decision],
  );
  const changes = creations.map(({ change }) => change);
  await applyDemandDecisions(services, tx, 'payment_demands', now, changes);
  const createdRefunds = creations.map(({ row }) => ({ after: row }));
  await postFollowUps(services, kind, tx, createdRefunds, now);
  return items.map((item) => {
    const decision = decisions.get(item);
    return decision instanceof Error
      ? decision
      : (storedRows.get(keyText(item.record)) ?? keyTaken());
  });
}

type Payments = ReadonlyMap<string, { readonly row: Row; readonly authorisation?: Row }>;

async function lockPayments(tx: Db, items: readonly Item[]): Promise<Payments> {
  const keys = items.map(({ record }) => paymentOf(record));
  const rows = await lockRows(tx, 'payment_demands', keys);
  const authorisations = await authorisationsOf(tx, keys);
  return new Map(
    [...rows].map(([key, row]) => {
      const authorisation = authorisations.get(key);
      return [key, { row, ...(authorisation && { authorisation }) }];
    }),
  );
}

async function findStored(
  tx: Db,
  { table }: FollowUpKind,
  items: readonly Item[],
): Promise<ReadonlyMap<string, Row>> {
  const rows = await findRowsByKey(
    tx,
    table,
    items.map(({ record }) => keyOf(record)),
  );
  return new Map(rows.map((row) => [keyText(row), row]));
}

interface DecidedFollowUp {
  readonly row: Row;
  readonly change: { readonly before: Row } & Decision;
}

function decideItem(
  decide: DecideFollowUp,
  { record }: Item,
  payments: Payments,
  now: Micros,
): DecidedFollowUp | Error {
  const payment = payments.get(keyText(paymentOf(record)));
  if (!payment || payment.row.mode !== record.mode) return relationshipNotFound('payment_demand');
  try {
    const followUp = decide(record, payment.row, payment.authorisation, now);
    return { row: followUp.row, change: { before: payment.row, ...followUp.payment } };
  } catch (error) {
    return error as Error;
  }
}

async function insertAll(
  { models, clock, catalog }: Services,
  tx: Db,
  { table }: FollowUpKind,
  decisions: ReadonlyMap<Item, DecidedFollowUp | Error>,
): Promise<void> {
  const records = [...decisions].flatMap(([{ idempotency }, decision]) => {
    if (decision instanceof Error) return [];
    const events = [eventAbout(models.get(table), decision.row, 'created', clock.now())];
    return [{ row: decision.row, events, idempotency }];
  });
  if (records.length > 0) await insertRecords(tx, catalog, table, records);
}
