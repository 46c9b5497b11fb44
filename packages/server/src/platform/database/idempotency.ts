import { type Catalog, recordsetOf } from './catalog.ts';
import type { Db } from './db.ts';
import { notStopped } from './installation/stopped.ts';
import type { Row } from './row.ts';
import type { Scope } from './scope.ts';

/** Identifies a repeated write: the client's key, and a keyed hash of the request. */
export interface IdempotencyKey extends Scope {
  readonly resource_type: string;
  /** `create`, `update` or the name of an action. The same key may be used once for each. */
  readonly operation: string;
  readonly key: string;
  readonly request_hash: string;
  /** Time after which the key may be pruned; null: the record's lifetime. */
  readonly expires_at: string | null;
}

/** Request that owns a key: the keyed hash of its content, and the record that it created or changed. */
export interface KeyHolder {
  readonly request_hash: string;
  readonly resource_id: string;
}

/** Columns of a key. Every transaction inserts keys in the order of these columns. */
const KEY_COLUMNS = ['merchant_id', 'mode', 'resource_type', 'operation', 'key'] as const;
const KEY_COLUMN_LIST = KEY_COLUMNS.join(', ');

const identityText = (key: Pick<IdempotencyKey, (typeof KEY_COLUMNS)[number]> | Row): string =>
  JSON.stringify(KEY_COLUMNS.map((column) => key[column]));

/** Row that stores a key with the record that owns it. */
export const keyRow = (key: IdempotencyKey, resource_id: string, created_at: string): Row => ({
  merchant_id: key.merchant_id,
  mode: key.mode,
  resource_type: key.resource_type,
  operation: key.operation,
  key: key.key,
  request_hash: key.request_hash,
  expires_at: key.expires_at,
  resource_id,
  created_at,
});

/** Owners of keys by index; undefined for a free key. */
export async function findKeyHolders(
  db: Db,
  keys: readonly IdempotencyKey[],
): Promise<(KeyHolder | undefined)[]> {
  if (keys.length === 0) return [];
  const rows = await db.query(
    `select ${KEY_COLUMN_LIST}, request_hash, resource_id from idempotency_keys where (${KEY_COLUMN_LIST}) in
       (select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[]))`,
    KEY_COLUMNS.map((column) => keys.map((key) => key[column])),
    'key_holders',
  );
  const holders = new Map(rows.map((row) => [identityText(row), holderOf(row)]));
  return keys.map((key) => holders.get(identityText(key)));
}

const holderOf = ({ request_hash, resource_id }: Row): KeyHolder => ({
  request_hash: request_hash as string,
  resource_id: resource_id as string,
});

/**
 * CTE that stores the free keys of `source`. Sorting prevents deadlocks between batches. Waits for keys that
 * another transaction is inserting.
 */
export const takeKeysFrom = (source: string): string =>
  `insert into idempotency_keys select * from ${source} order by ${KEY_COLUMN_LIST}
   on conflict do nothing returning resource_id`;

/** Stores keys in the caller's transaction; returns the records whose keys were free. */
export async function takeKeys(
  tx: Db,
  catalog: Catalog,
  keys: readonly Row[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const storedRows = await tx.query(
    takeKeysFrom('json_populate_recordset(null::idempotency_keys, $1::json)'),
    [recordsetOf(catalog('idempotency_keys'), keys)],
    'take_keys',
  );
  return new Set(storedRows.map((row) => row.resource_id as string));
}

/** A key of the table, and the hash of its request. */
export type HashedKey = Readonly<Record<(typeof KEY_COLUMNS)[number] | 'request_hash', string>>;

/** At most `limit` keys after one, in the order of their columns; the first ones without `after`. */
export async function listHashedKeys(
  db: Db,
  after: HashedKey | undefined,
  limit: number,
): Promise<HashedKey[]> {
  const rows = await db.query(
    `select ${KEY_COLUMN_LIST}, request_hash from idempotency_keys
     ${after ? `where (${KEY_COLUMN_LIST}) > ($2::uuid, $3, $4, $5, $6)` : ''}
     order by ${KEY_COLUMN_LIST} limit $1`,
    [limit, ...(after ? KEY_COLUMNS.map((column) => after[column]) : [])],
    after ? 'list_hashed_keys' : 'list_first_hashed_keys',
  );
  return rows as unknown as HashedKey[];
}

/** Replaces hashes, except of keys that were pruned or taken again meanwhile. */
export const storeKeyHashes = (
  db: Db,
  keys: readonly HashedKey[],
  hashOf: (hash: string) => string,
): Promise<Row[]> =>
  db.query(
    `update idempotency_keys k set request_hash = n.hash
     from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
       as n (${KEY_COLUMN_LIST}, before, hash)
     where (${KEY_COLUMNS.map((column) => `k.${column}`).join(', ')}) =
       (${KEY_COLUMNS.map((column) => `n.${column}`).join(', ')}) and k.request_hash = n.before`,
    [
      ...KEY_COLUMNS.map((column) => keys.map((key) => key[column])),
      keys.map(({ request_hash }) => request_hash),
      keys.map(({ request_hash }) => hashOf(request_hash)),
    ],
    'store_key_hashes',
  );

/**
 * Deletes at most `limit` keys that expired by `now`, oldest first. Returns the number deleted. A fence would fail the
 * batch, so keys of merchants that move wait.
 */
export async function pruneKeys(db: Db, now: string, limit: number): Promise<number> {
  const deletedRows = await db.query(
    `with expired as (select ctid from idempotency_keys where expires_at <= $1 and ${notStopped('merchant_id')}
       order by expires_at limit $2 for update skip locked)
     delete from idempotency_keys where ctid in (select ctid from expired) returning 1`,
    [now, limit],
    'prune_keys',
  );
  return deletedRows.length;
}
