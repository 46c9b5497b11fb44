import { eventCtes, eventsFrom, eventsInput, type NewEvent } from '../outbox/events.ts';
import { type Catalog, recordsetOf, type Table } from './catalog.ts';
import type { Db } from './db.ts';
import { findKeyHolders, type IdempotencyKey, keyRow, takeKeysFrom } from './idempotency.ts';
import { repeatUncertain } from './repeat.ts';
import type { Row } from './row.ts';

export interface NewRecord {
  /** All columns of the row that are not null. Must contain merchant_id, mode, id and created_at. */
  readonly row: Row;
  readonly events: readonly NewEvent[];
  readonly idempotency?: IdempotencyKey | undefined;
}

/** `taken`: the record was not stored, because its idempotency key belongs to another request. */
export type CreateOutcome = { readonly outcome: 'created' } | { readonly outcome: 'taken' };

/**
 * Stores records with their events and deliveries in one atomic statement. Returns one outcome per index.
 * Skips records whose idempotency key is taken. Repeating the statement is safe, because the server chooses
 * the ids: a repetition waits for the first run and stores only missing records.
 */
export const createRecords = (
  ...insertArguments: Parameters<typeof insertRecords>
): Promise<CreateOutcome[]> => repeatUncertain(() => insertRecords(...insertArguments));

/**
 * Same as `createRecords` in the caller's transaction, but without repetition: a lost connection ends the
 * transaction.
 */
export async function insertRecords(
  db: Db,
  catalog: Catalog,
  tableName: string,
  records: readonly NewRecord[],
): Promise<CreateOutcome[]> {
  const table = catalog(tableName);
  const keys = records.flatMap(keysOf);
  const storedRows = await db.query(
    keys.length > 0 ? keyedInsert(table) : plainInsert(table),
    [
      recordsetOf(
        table,
        records.map(({ row }) => row),
      ),
      ...eventsInput(
        catalog,
        records.flatMap(({ events }) => events),
      ),
      ...(keys.length > 0 ? [recordsetOf(catalog('idempotency_keys'), keys)] : []),
    ],
    `create_${keys.length > 0 ? 'keyed' : 'plain'}_${tableName}`,
  );
  const ids = new Set(storedRows.map((row) => row.id));
  const unstoredKeyed = records.filter(({ row, idempotency }) => idempotency && !ids.has(row.id));
  const blockedRecords = await recordsWithTakenKey(db, unstoredKeyed);
  return records.map((record) => ({ outcome: blockedRecords.has(record) ? 'taken' : 'created' }));
}

const keysOf = ({ row, idempotency }: NewRecord): Row[] =>
  idempotency ? [keyRow(idempotency, row.id as string, row.created_at as string)] : [];

function insertFrom(table: Table, source: string): string {
  const columns = table.columns.join(', ');
  return `stored as (insert into ${table.name} (${columns}) select ${columns} from ${source} order by id
      on conflict (merchant_id, id) do nothing returning id),
    new_events as (select e.* from (${eventsFrom('$2', '$3')}) e
      join stored on stored.id = e.resource_id),
    ${eventCtes('new_events')}
    select id from stored`;
}

const plainInsert = (table: Table): string =>
  `with input as (select * from json_populate_recordset(null::${table.name}, $1::json)),
    ${insertFrom(table, 'input')}`;

const keyedInsert = (table: Table): string =>
  `with keys as (select * from json_populate_recordset(null::idempotency_keys, $4::json)),
    taken as (${takeKeysFrom('keys')}),
    input as (select i.* from json_populate_recordset(null::${table.name}, $1::json) i
      where i.id not in (select resource_id from keys) or i.id in (select resource_id from taken)),
    ${insertFrom(table, 'input')}`;

/**
 * Skipped records whose key belongs to another request. A key that names its own record belongs to this
 * request. The other records are already committed, so a failed lookup returns an empty set.
 */
async function recordsWithTakenKey(
  db: Db,
  unstoredRecords: readonly NewRecord[],
): Promise<ReadonlySet<NewRecord>> {
  const keys = unstoredRecords.map(({ idempotency }) => idempotency as IdempotencyKey);
  const holders = await findKeyHolders(db, keys).catch((): undefined[] => []);
  return new Set(unstoredRecords.filter(({ row }, at) => holders[at]?.resource_id !== row.id));
}
