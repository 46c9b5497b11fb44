import { createBatcher } from '../../platform/concurrency/batcher.ts';
import {
  type CreateOutcome,
  createRecords,
  type NewRecord,
} from '../../platform/database/create.ts';
import type { Row } from '../../platform/database/row.ts';
import { scopeOf, scopeText } from '../../platform/database/scope.ts';
import type { Services } from '../../services.ts';
import { keyTaken } from './keys.ts';
import { invalidReferences, type NamedReference } from './references.ts';

export interface CreateItem {
  readonly record: NewRecord;
  /** Relationships of the new record, with the table and row that each references. */
  readonly references: readonly NamedReference[];
}

/**
 * Creates a record and returns the stored row. Rejects if the record is refused; with `keyTaken` if
 * an earlier request used its key.
 */
export type Creator = (item: CreateItem) => Promise<Row>;

/** Limit of waiting writes. */
export interface WaitingLimit {
  readonly config: Pick<Services['config'], 'waiting_max'>;
}

type Store = Pick<Services, 'db' | 'catalog'> &
  Partial<Pick<Services, 'batch_sizes'>> &
  WaitingLimit;

/** Stores the records of a batch. Returns one outcome per index. */
export type StoreRecords = (records: readonly NewRecord[]) => Promise<CreateOutcome[]>;

/**
 * Returns a function that creates records of one table; concurrent creates share one statement. `storeRecords` replaces
 * `createRecords` where more is stored with the records.
 */
export const createCreator = (
  store: Store,
  table: string,
  storeRecords: StoreRecords = (records) => createRecords(store.db, store.catalog, table, records),
): Creator =>
  createBatcher({
    run: (items: readonly CreateItem[]) => createAll(store, storeRecords, items),
    ownerOf: ({ record }) => scopeText(scopeOf(record.row)),
    queue_max: store.config.waiting_max,
    onBatch: store.batch_sizes?.observerOf(`create ${table}`),
  });

async function createAll(
  store: Store,
  storeRecords: StoreRecords,
  items: readonly CreateItem[],
): Promise<(Row | Error)[]> {
  const failures = await invalidReferences(store.db, items, ({ record }) => scopeOf(record.row));
  const validItems = items.filter((item) => !failures.has(item));
  const results = await storeAll(storeRecords, validItems);
  return items.map((item) => failures.get(item) ?? (results.get(item) as Row | Error));
}

async function storeAll(
  storeRecords: StoreRecords,
  items: readonly CreateItem[],
): Promise<Map<CreateItem, Row | Error>> {
  if (items.length === 0) return new Map();
  const outcomes = await storeRecords(items.map(({ record }) => record));
  return new Map(items.map((item, at) => [item, resultOf(item, outcomes[at] as CreateOutcome)]));
}

const resultOf = ({ record }: CreateItem, { outcome }: CreateOutcome): Row | Error =>
  outcome === 'taken' ? keyTaken() : record.row;
