import { problem } from '@florin/contract/errors.ts';
import { MERGE_COUNTED_MAX } from '@florin/contract/resources/customer-merges.ts';
import type { Behaviour, RequestContext } from '../../jsonapi/behaviour.ts';
import { insertRecords } from '../../platform/database/create.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText, type RowKey } from '../../platform/database/row-key.ts';
import { findRowsByKey } from '../../platform/database/rows.ts';
import { lockRows } from '../../platform/database/transition.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { applyDecisions } from '../records/apply-decisions.ts';
import { keyTaken } from '../records/keys.ts';
import { referencesOf } from '../records/plain.ts';
import { invalidReferences } from '../records/references.ts';
import {
  differencesOf,
  MERGED_INTO_MAX,
  requireMergeable,
  requireTwo,
  untilNextLook,
} from './decide.ts';
import { moveRecords, sinceOf } from './move-records.ts';
import { movedKinds } from './moved-kinds.ts';
import { countDuplicateCards, countRecordsOf, findMergedInto, hasOwnClock } from './sql.ts';

/** The two customers of a merge, and those who were merged into the source before. */
interface MergedCustomers {
  readonly source: Row;
  readonly target: Row;
  readonly earlier: readonly Row[];
}

/**
 * Merges two customers. The first slice of records moves in the transaction of the merge; a worker moves the rest. A
 * preview is stored too, but has no other effect.
 */
export function customerMergeBehaviour(services: Services): Behaviour {
  return {
    async create(ctx, _input, record) {
      requireTwo(record);
      await requireCustomers(services, ctx, record);
      const store = record.dry_run === 'true' ? previewMerge : merge;
      const row = await services.db.transaction((tx) => store(services, tx, ctx, record));
      services.wake.deliver.raise();
      return row;
    },
  };
}

async function requireCustomers(
  { db, models }: Services,
  { scope }: RequestContext,
  record: Row,
): Promise<void> {
  const item = { references: referencesOf(models.get('customer_merges'), record) };
  for (const error of (await invalidReferences(db, [item], () => scope)).values()) throw error;
}

async function previewMerge(
  services: Services,
  tx: Db,
  ctx: RequestContext,
  record: Row,
): Promise<Row> {
  const { source: sourceKey, target: targetKey } = keysOf(record);
  const rows = await findRowsByKey(tx, 'customers', [sourceKey, targetKey]);
  const customers = await customersOf(tx, record, rows);
  const now = ctx.now();
  const counts: Record<string, string> = {};
  for (const kind of movedKinds) {
    if (!kind.count) continue;
    const count = await countRecordsOf(tx, kind, sourceKey, MERGE_COUNTED_MAX, sinceOf(kind, now));
    counts[kind.count] = String(count);
  }
  return storeMerge(services, tx, ctx, {
    ...(await comparedRow(tx, record, customers)),
    ...counts,
    ...timesAt(now),
  });
}

async function merge(services: Services, tx: Db, ctx: RequestContext, record: Row): Promise<Row> {
  const rows = await lockCustomers(tx, record);
  const customers = await customersOf(tx, record, [...rows.values()]);
  // Reads the time after the locks, so that no other transaction changes the customers afterwards.
  const now = ctx.now();
  const compared = await comparedRow(tx, record, customers);
  await closeSource(services, tx, customers, now);
  const { counts, is_done } = await moveRecords(services, tx, pairOf(record), now);
  const at = instantText(now);
  return storeMerge(services, tx, ctx, {
    ...compared,
    ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)])),
    ...timesAt(now),
    completed_at: is_done ? at : null,
    due_at: nextStepAt(services, is_done ? untilNextLook(at, now) : 0),
  });
}

/** Merges are due by the system clock: the sandbox's clocks do not delay them. */
export const nextStepAt = ({ system_clock }: Services, wait: Micros | undefined): string | null =>
  wait === undefined ? null : instantText(system_clock.now() + wait);

const timesAt = (now: Micros): Row => ({
  created_at: instantText(now),
  updated_at: instantText(now),
});

const pairOf = ({ merchant_id, source_id, target_id }: Row) => ({
  merchant_id: merchant_id as string,
  source_id: source_id as string,
  target_id: target_id as string,
});

function keysOf(record: Row): { readonly source: RowKey; readonly target: RowKey } {
  const { merchant_id, source_id, target_id } = pairOf(record);
  return { source: { merchant_id, id: source_id }, target: { merchant_id, id: target_id } };
}

/**
 * Locks both customers, and those who were merged into the source, in one order. Concurrent merges of one of them wait.
 * Foreign keys do not: payments of both customers go on.
 */
async function lockCustomers(tx: Db, record: Row): Promise<Map<string, Row>> {
  const { source, target } = keysOf(record);
  const earlier = await findMergedInto(tx, source, MERGED_INTO_MAX);
  const rows = await lockRows(tx, 'customers', [source, target, ...earlier]);
  const latest = await findMergedInto(tx, source, MERGED_INTO_MAX);
  if (latest.some((key) => !rows.has(keyText(key)))) throw mergedMeanwhile();
  return rows;
}

const mergedMeanwhile = (): Error =>
  problem(
    'unavailable',
    'Another customer was merged into source at the same time. Try again.',
    undefined,
    { headers: { 'retry-after': '1' } },
  );

async function customersOf(tx: Db, record: Row, rows: readonly Row[]): Promise<MergedCustomers> {
  const { source: sourceKey, target: targetKey } = keysOf(record);
  const rowOf = ({ id }: RowKey): Row => rows.find((row) => row.id === id) as Row;
  const [source, target] = [rowOf(sourceKey), rowOf(targetKey)];
  const mergedIntoTarget = await findMergedInto(tx, targetKey, MERGED_INTO_MAX);
  const mergedIntoSource = await findMergedInto(tx, sourceKey, MERGED_INTO_MAX);
  requireMergeable(source, target, {
    merged_count: mergedIntoTarget.length + mergedIntoSource.length,
    has_own_clock: await hasOwnClock(tx, sourceKey.merchant_id, [sourceKey.id, targetKey.id]),
  });
  return { source, target, earlier: rows.filter((row) => row !== source && row !== target) };
}

async function comparedRow(tx: Db, record: Row, { source, target }: MergedCustomers): Promise<Row> {
  const { merchant_id, source_id, target_id } = pairOf(record);
  const duplicates = await countDuplicateCards(
    tx,
    merchant_id,
    source_id,
    target_id,
    MERGE_COUNTED_MAX,
  );
  return {
    ...record,
    duplicate_cards_count: String(duplicates),
    differences: JSON.stringify(differencesOf(source, target)),
  };
}

/** Points the source, and those who were merged into it before, to the target. */
async function closeSource(
  services: Services,
  tx: Db,
  { source, target, earlier }: MergedCustomers,
  now: Micros,
): Promise<void> {
  const merged_into_id = target.id as string;
  await applyDecisions(services, tx, 'customers', now, [
    {
      before: source,
      set: { merged_into_id, merged_at: instantText(now) },
      events: ['updated', 'merged'],
    },
    ...earlier.map((before) => ({ before, set: { merged_into_id }, events: ['updated'] })),
  ]);
}

async function storeMerge(
  { catalog }: Services,
  tx: Db,
  { idempotency }: RequestContext,
  row: Row,
): Promise<Row> {
  const item = { row, events: [], idempotency };
  const [result] = await insertRecords(tx, catalog, 'customer_merges', [item]);
  if (result?.outcome !== 'created') throw keyTaken();
  return row;
}
