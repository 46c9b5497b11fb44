import { problem } from '@florin/contract/errors.ts';
import { createBatcher } from '../../kernel/batcher.ts';
import { type Created, createRecords, type NewRecord } from '../../store/create.ts';
import type { Row } from '../../store/row.ts';
import { findRow } from '../../store/rows.ts';
import type { Scope } from '../../store/scope.ts';
import type { Services } from '../services.ts';
import { brokenReferences, type Pointing } from './pointing.ts';

export interface CreateItem {
  readonly record: NewRecord;
  /** Table and row that each relationship of the new record points to. */
  readonly references: readonly Pointing[];
}

/** The stored row; `replayed` when an earlier request with the same idempotency key had made it. */
export interface CreateResult {
  readonly row: Row;
  readonly replayed: boolean;
}

export type Creator = (item: CreateItem) => Promise<CreateResult>;

/** Where records are stored. */
type Store = Pick<Services, 'db' | 'catalog'>;

/** Creates records of one table; those that are asked for at the same time share one statement. */
export const createCreator = (store: Store, table: string): Creator =>
  createBatcher({ run: (items: readonly CreateItem[]) => createAll(store, table, items) });

async function createAll(
  store: Store,
  table: string,
  items: readonly CreateItem[],
): Promise<(CreateResult | Error)[]> {
  const failures = await brokenReferences(store.db, items, scopeOf);
  const sound = items.filter((item) => !failures.has(item));
  const results = await storeAll(store, table, sound);
  return items.map((item) => failures.get(item) ?? (results.get(item) as CreateResult | Error));
}

async function storeAll(
  { db, catalog }: Store,
  table: string,
  items: readonly CreateItem[],
): Promise<Map<CreateItem, CreateResult | Error>> {
  if (items.length === 0) return new Map();
  const outcomes = await createRecords(
    db,
    catalog,
    table,
    items.map(({ record }) => record),
  );
  const results = await Promise.all(
    items.map((item, at) => resultOf(db, table, item, outcomes[at] as Created)),
  );
  return new Map(items.map((item, at) => [item, results[at] as CreateResult | Error]));
}

/** Never rejects: the records of the batch are committed by now. */
async function resultOf(
  db: Store['db'],
  table: string,
  item: CreateItem,
  created: Created,
): Promise<CreateResult | Error> {
  switch (created.outcome) {
    case 'created':
      return { row: item.record.row, replayed: false };
    case 'replayed':
      return earlierResult(db, table, item, created.id);
    case 'conflict':
      return keyConflict();
    case 'unread':
      return unread();
  }
}

const scopeOf = ({ record }: CreateItem): Scope => ({
  merchant_id: record.row.merchant_id as string,
  mode: record.row.mode as Scope['mode'],
});

const earlierResult = (
  db: Store['db'],
  table: string,
  item: CreateItem,
  id: string,
): Promise<CreateResult | Error> =>
  findRow(db, table, scopeOf(item), id).then(
    (row) => (row ? { row, replayed: true } : unread()),
    unread,
  );

const unread = (): Error =>
  problem(
    'unavailable',
    'What this idempotency key has made could not be looked up. Try again with the same key.',
    undefined,
    { headers: { 'retry-after': '1' } },
  );

const keyConflict = (): Error =>
  problem(
    'idempotency_conflict',
    'An earlier request with this idempotency key asked for something else. Use a new key for a new request.',
    { pointer: '/data/attributes/idempotency_key' },
  );
