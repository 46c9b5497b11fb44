import { eventCtes, eventsFrom, eventsInput, type NewEvent } from '../outbox/events.ts';
import { type Catalog, recordsetOf, type Table } from './catalog.ts';
import type { Database, Db } from './db.ts';
import {
  findKeyHolders,
  type IdempotencyKey,
  type KeyHolder,
  keyRow,
  takeKeysFrom,
} from './idempotency.ts';
import { repeatUncertain } from './repeat.ts';
import type { Row } from './row.ts';

export interface NewRecord {
  /** All columns of the row that are not null. Must contain merchant_id, mode, id and created_at. */
  readonly row: Row;
  readonly events: readonly NewEvent[];
  readonly idempotency?: IdempotencyKey | undefined;
}

/**
 * `created`: this statement stored the record. `present`: an earlier run of the statement did. `taken`: nothing stored it,
 * because its idempotency key belongs to another request.
 */
export interface CreateOutcome {
  readonly outcome: 'created' | 'present' | 'taken';
}

/** Rows of another table that the same statement stores. */
export interface CompanionRows {
  /** Part of the statement's name. */
  readonly name: string;
  /** INSERT of rows from the parameter `rows`, for records whose `id` is in `stored`. */
  readonly sqlOf: (rows: string) => string;
  readonly rows: string;
}

type InsertArguments = readonly [
  catalog: Catalog,
  table: string,
  records: readonly NewRecord[],
  companion?: CompanionRows | undefined,
];

/**
 * Stores records with their events and deliveries in one atomic statement. Returns one outcome per index.
 * Skips records whose idempotency key is taken. Repeating the statement is safe, because the server chooses
 * the ids: a repetition waits for the first run and stores only missing records.
 */
export const createRecords = (
  db: Pick<Database, 'query' | 'transaction'>,
  ...insertArguments: InsertArguments
): Promise<CreateOutcome[]> =>
  repeatUncertain(async () => {
    const insert = (tx: Db) => insertOnce(tx, ...insertArguments);
    // In a transaction for its kept plan: planning the statement takes as long as a quarter of its work.
    const unstored = await db.transaction(insert, { plans: 'kept' });
    // The other records are already committed, so they do not fail with the lookup.
    const holders = await findKeyHolders(db, keysIn(unstored)).catch((): [] => []);
    return outcomesOf(insertArguments[2], unstored, holders);
  });

/**
 * Same as `createRecords` in the caller's transaction, but without repetition: a lost connection ends the
 * transaction. So does a lookup that fails.
 */
export async function insertRecords(
  tx: Db,
  ...insertArguments: InsertArguments
): Promise<CreateOutcome[]> {
  const [, , records] = insertArguments;
  const unstored = await insertOnce(tx, ...insertArguments);
  return outcomesOf(records, unstored, await findKeyHolders(tx, keysIn(unstored)));
}

/** Stores records. Returns those that were not stored. */
async function insertOnce(
  tx: Db,
  ...[catalog, tableName, records, companion]: InsertArguments
): Promise<NewRecord[]> {
  const table = catalog(tableName);
  const keys = records.flatMap(keysOf);
  const [kind, insert] = keys.length > 0 ? ['keyed', keyedInsert] : ['plain', plainInsert];
  const storedRows = await tx.query(
    insert(table, companion),
    [
      recordsetOf(
        table,
        records.map(({ row }) => row),
      ),
      ...eventsInput(
        catalog,
        records.flatMap(({ events }) => events),
      ),
      ...(companion ? [companion.rows] : []),
      ...(keys.length > 0 ? [recordsetOf(catalog('idempotency_keys'), keys)] : []),
    ],
    `create_${kind}_${tableName}${companion ? `_${companion.name}` : ''}`,
  );
  const ids = new Set(storedRows.map((row) => row.id));
  return records.filter(({ row }) => !ids.has(row.id));
}

const keysIn = (records: readonly NewRecord[]): IdempotencyKey[] =>
  records.flatMap(({ idempotency }) => idempotency ?? []);

/**
 * Outcomes of records, of which `unstored` were skipped. A key that names its own record belongs to this request; any
 * other holder took the key.
 */
function outcomesOf(
  records: readonly NewRecord[],
  unstored: readonly NewRecord[],
  holders: readonly (KeyHolder | undefined)[],
): CreateOutcome[] {
  const skipped = new Set(unstored);
  const holderIds = new Set(holders.map((holder) => holder?.resource_id));
  const outcomeOf = (record: NewRecord): CreateOutcome['outcome'] => {
    if (!skipped.has(record)) return 'created';
    return !record.idempotency || holderIds.has(record.row.id as string) ? 'present' : 'taken';
  };
  return records.map((record) => ({ outcome: outcomeOf(record) }));
}

const keysOf = ({ row, idempotency }: NewRecord): Row[] =>
  idempotency ? [keyRow(idempotency, row.id as string, row.created_at as string)] : [];

function insertFrom(table: Table, source: string, companion: CompanionRows | undefined): string {
  const columns = table.columns.join(', ');
  return `stored as (insert into ${table.name} (${columns}) select ${columns} from ${source} order by id
      on conflict (merchant_id, id) do nothing returning id),
    new_events as (select e.* from (${eventsFrom('$2', '$3')}) e
      join stored on stored.id = e.resource_id),
    ${eventCtes('new_events', 'new')}
    ${companion ? `, companion as (${companion.sqlOf('$4')})` : ''}
    select id from stored`;
}

const plainInsert = (table: Table, companion?: CompanionRows): string =>
  `with input as (select * from json_populate_recordset(null::${table.name}, $1::json)),
    ${insertFrom(table, 'input', companion)}`;

const keyedInsert = (table: Table, companion?: CompanionRows): string =>
  `with keys as (select * from json_populate_recordset(null::idempotency_keys, ${companion ? '$5' : '$4'}::json)),
    taken as (${takeKeysFrom('keys')}),
    input as (select i.* from json_populate_recordset(null::${table.name}, $1::json) i
      where i.id not in (select resource_id from keys) or i.id in (select resource_id from taken)),
    ${insertFrom(table, 'input', companion)}`;
