import { setTimeout as sleep } from 'node:timers/promises';
import { isConnectionError, isPassingError } from '../kernel/batcher.ts';
import { type Catalog, recordset, type Table } from './catalog.ts';
import type { Db } from './db.ts';
import { eventCtes, eventRow, type NewEvent } from './events.ts';
import type { Row } from './row.ts';

/** What makes a create safe to repeat: the client's key and a hash of what it asked for. */
export interface IdempotencyKey {
  readonly key: string;
  readonly request_hash: string;
}

export interface NewRecord {
  /** Every column of the table that is not null. Must hold merchant_id, mode, id and created_at. */
  readonly row: Row;
  readonly events: readonly NewEvent[];
  readonly idempotency?: IdempotencyKey;
}

/**
 * `replayed` names the record that the same request made before; `conflict`: the key belongs to another
 * request; `unread`: the key is taken, but by what could not be looked up, so that it is to be tried again.
 */
export type Created =
  | { readonly outcome: 'created' }
  | { readonly outcome: 'replayed'; readonly id: string }
  | { readonly outcome: 'conflict' }
  | { readonly outcome: 'unread' };

const REPEATS_MAX = 10;
const REPEAT_PAUSE_MS = 200;

/**
 * Stores records, their events and deliveries in one statement, all or nothing, and answers each
 * at its index. Records whose idempotency key is taken are left out.
 */
export async function createRecords(
  db: Db,
  catalog: Catalog,
  tableName: string,
  records: readonly NewRecord[],
): Promise<Created[]> {
  try {
    return await insertRecords(db, catalog, tableName, records);
  } catch (error) {
    if (!isConnectionError(error)) throw error;
    return repeatInsert(db, catalog, tableName, records);
  }
}

/**
 * The connection broke while the statement ran, and its backend may run it still. The ids are our own, so
 * the same statement is safe to repeat: it waits for the first one and stores what that one did not.
 */
async function repeatInsert(...insert: Parameters<typeof insertRecords>): Promise<Created[]> {
  for (let repeats = 1; ; repeats++) {
    await sleep(REPEAT_PAUSE_MS);
    try {
      return await insertRecords(...insert);
    } catch (error) {
      if (!isPassingError(error) || repeats >= REPEATS_MAX) throw error;
    }
  }
}

async function insertRecords(
  db: Db,
  catalog: Catalog,
  tableName: string,
  records: readonly NewRecord[],
): Promise<Created[]> {
  const table = catalog(tableName);
  const keys = records.flatMap((record) => keyRow(tableName, record));
  const stored = await db.query(
    keys.length > 0 ? keyedInsert(table) : plainInsert(table),
    [
      recordset(
        table,
        records.map(({ row }) => row),
      ),
      recordset(
        catalog('events'),
        records.flatMap(({ events }) => events.map(eventRow)),
      ),
      ...(keys.length > 0 ? [recordset(catalog('idempotency_keys'), keys)] : []),
    ],
    `create_${keys.length > 0 ? 'keyed' : 'plain'}_${tableName}`,
  );
  const ids = new Set(stored.map((row) => row.id));
  const left = records.filter(({ row, idempotency }) => idempotency && !ids.has(row.id));
  const holders = await keyHolders(db, tableName, left);
  return records.map((record) => (left.includes(record) ? outcomeOf(record, holders) : created));
}

const created: Created = { outcome: 'created' };

const keyRow = (resource_type: string, { row, idempotency }: NewRecord): Row[] =>
  idempotency
    ? [
        {
          merchant_id: row.merchant_id as string,
          mode: row.mode as string,
          resource_type,
          key: idempotency.key,
          request_hash: idempotency.request_hash,
          resource_id: row.id as string,
          created_at: row.created_at as string,
        },
      ]
    : [];

function insertFrom(table: Table, source: string): string {
  const columns = table.columns.join(', ');
  return `stored as (insert into ${table.name} (${columns}) select ${columns} from ${source} order by id
      on conflict (merchant_id, id) do nothing returning id),
    news as (select e.* from json_populate_recordset(null::events, $2::json) e
      join stored on stored.id = e.resource_id),
    ${eventCtes('news')}
    select id from stored`;
}

const plainInsert = (table: Table): string =>
  `with input as (select * from json_populate_recordset(null::${table.name}, $1::json)),
    ${insertFrom(table, 'input')}`;

const keyedInsert = (table: Table): string =>
  `with keys as (select * from json_populate_recordset(null::idempotency_keys, $3::json)),
    taken as (insert into idempotency_keys select * from keys order by merchant_id, key
      on conflict do nothing returning resource_id),
    input as (select i.* from json_populate_recordset(null::${table.name}, $1::json) i
      where i.id not in (select resource_id from keys) or i.id in (select resource_id from taken)),
    ${insertFrom(table, 'input')}`;

const keyTextOf = (row: Row, key: string): string => `${row.merchant_id} ${row.mode} ${key}`;

/**
 * The stored keys of records that were left out, by merchant, mode and key. The others are committed by
 * now, so a look-up that fails finds nothing rather than failing them.
 */
async function keyHolders(
  db: Db,
  resource_type: string,
  left: readonly NewRecord[],
): Promise<ReadonlyMap<string, Row>> {
  if (left.length === 0) return new Map();
  const known = await db
    .query(
      `select merchant_id, mode, key, request_hash, resource_id from idempotency_keys
       where resource_type = $1 and (merchant_id, mode, key) in
         (select * from unnest($2::uuid[], $3::text[], $4::text[]))`,
      [
        resource_type,
        left.map(({ row }) => row.merchant_id),
        left.map(({ row }) => row.mode),
        left.map(({ idempotency }) => idempotency?.key),
      ],
    )
    .catch((): Row[] => []);
  return new Map(known.map((row) => [keyTextOf(row, row.key as string), row]));
}

/** A key that names the record itself was stored by this very request, before its connection broke. */
function outcomeOf({ row, idempotency }: NewRecord, holders: ReadonlyMap<string, Row>): Created {
  const holder = holders.get(keyTextOf(row, idempotency?.key ?? ''));
  if (!holder) return { outcome: 'unread' };
  if (holder.resource_id === row.id) return created;
  return holder.request_hash === idempotency?.request_hash
    ? { outcome: 'replayed', id: holder.resource_id as string }
    : { outcome: 'conflict' };
}
