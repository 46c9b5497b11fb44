import { setTimeout as sleep } from 'node:timers/promises';
import { isConnectionError } from '../kernel/batcher.ts';
import { type Catalog, recordset, type Table } from './catalog.ts';
import type { Db } from './db.ts';
import { eventCtes, eventRow, type NewEvent } from './events.ts';
import type { Row } from './row.ts';
import { rowsByKey } from './rows.ts';

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
 * request; `lost`: the connection broke before the record was stored, so that it may be tried again.
 */
export type Created =
  | { readonly outcome: 'created' }
  | { readonly outcome: 'replayed'; readonly id: string }
  | { readonly outcome: 'conflict' }
  | { readonly outcome: 'lost' };

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
    return readBack(db, tableName, records);
  }
}

const READ_BACK_TRIES = 10;
const READ_BACK_PAUSE_MS = 200;

/** The connection broke while the statement ran: nobody knows whether it was committed until it is looked up. */
async function readBack(db: Db, table: string, records: readonly NewRecord[]): Promise<Created[]> {
  const keys = records.map(({ row }) => ({
    merchant_id: row.merchant_id as string,
    id: row.id as string,
  }));
  for (let tries = 1; ; tries++) {
    try {
      const stored = await rowsByKey(db, table, keys, ['id']);
      const ids = new Set(stored.map(({ id }) => id));
      return records.map(({ row }) => ({ outcome: ids.has(row.id) ? 'created' : 'lost' }));
    } catch (error) {
      if (!isConnectionError(error) || tries >= READ_BACK_TRIES) throw error;
      await sleep(READ_BACK_PAUSE_MS);
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
  if (ids.size === records.length) return records.map(() => ({ outcome: 'created' }));
  return withReplays(db, tableName, records, ids);
}

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
  return `stored as (insert into ${table.name} (${columns}) select ${columns} from ${source} order by id returning id),
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

async function withReplays(
  db: Db,
  resource_type: string,
  records: readonly NewRecord[],
  created: ReadonlySet<string | null | undefined>,
): Promise<Created[]> {
  const left = records.filter(({ row }) => !created.has(row.id));
  const known = await db.query(
    `select merchant_id, mode, key, request_hash, resource_id from idempotency_keys
     where resource_type = $1 and (merchant_id, mode, key) in
       (select * from unnest($2::uuid[], $3::text[], $4::text[]))`,
    [
      resource_type,
      left.map(({ row }) => row.merchant_id),
      left.map(({ row }) => row.mode),
      left.map(({ idempotency }) => idempotency?.key ?? ''),
    ],
  );
  const byKey = new Map(known.map((row) => [`${row.merchant_id} ${row.mode} ${row.key}`, row]));
  return records.map(({ row, idempotency }) => {
    if (created.has(row.id)) return { outcome: 'created' };
    const earlier = byKey.get(`${row.merchant_id} ${row.mode} ${idempotency?.key}`);
    if (!earlier) throw new Error(`a record of ${resource_type} was neither stored nor known`);
    return earlier.request_hash === idempotency?.request_hash
      ? { outcome: 'replayed', id: earlier.resource_id as string }
      : { outcome: 'conflict' };
  });
}
