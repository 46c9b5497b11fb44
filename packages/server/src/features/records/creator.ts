import { problem } from '@florin/contract/errors.ts';
import { createBatcher } from '../../kernel/batcher.ts';
import { createRecords, type NewRecord } from '../../store/create.ts';
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

/** Creates records of one table; those that are asked for at the same time share one statement. */
export const createCreator = (services: Services, table: string): Creator =>
  createBatcher({ run: (items: readonly CreateItem[]) => createAll(services, table, items) });

async function createAll(
  services: Services,
  table: string,
  items: readonly CreateItem[],
): Promise<(CreateResult | Error)[]> {
  const failures = await brokenReferences(services.db, items, scopeOf);
  const sound = items.filter((item) => !failures.has(item));
  const results = await storeAll(services, table, sound);
  return items.map((item) => failures.get(item) ?? (results.get(item) as CreateResult | Error));
}

async function storeAll(
  { db, catalog }: Services,
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
  const results = new Map<CreateItem, CreateResult | Error>();
  for (const [at, item] of items.entries()) {
    const outcome = outcomes[at];
    if (outcome?.outcome === 'created')
      results.set(item, { row: item.record.row, replayed: false });
    else if (outcome?.outcome === 'replayed') {
      results.set(item, { row: await earlierRow(db, table, item, outcome.id), replayed: true });
    } else results.set(item, outcome?.outcome === 'lost' ? connectionLost() : keyConflict());
  }
  return results;
}

const scopeOf = ({ record }: CreateItem): Scope => ({
  merchant_id: record.row.merchant_id as string,
  mode: record.row.mode as Scope['mode'],
});

const earlierRow = async (
  db: Services['db'],
  table: string,
  item: CreateItem,
  id: string,
): Promise<Row> => (await findRow(db, table, scopeOf(item), id)) as Row;

const connectionLost = (): Error =>
  problem('unavailable', 'The database went away and nothing was stored. Try again.', undefined, {
    headers: { 'retry-after': '1' },
  });

const keyConflict = (): Error =>
  problem(
    'idempotency_conflict',
    'An earlier request with this idempotency key asked for something else. Use a new key for a new request.',
    { pointer: '/data/attributes/idempotency_key' },
  );
