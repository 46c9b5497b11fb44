import { type Catalog, recordset } from './catalog.ts';
import type { Db } from './db.ts';
import type { Row } from './row.ts';
import type { Scope } from './scope.ts';

/** What makes a write safe to repeat: the client's key, and a hash of what it asked for. */
export interface IdempotencyKey extends Scope {
  readonly resource_type: string;
  /** `create`, `update` or the name of an action. One key may be used once for each. */
  readonly operation: string;
  readonly key: string;
  readonly request_hash: string;
  /** When it may be forgotten; null where it is as lasting as the record. */
  readonly expires_at: string | null;
}

/** The request that a key belongs to: a hash of what it asked for, and the record it made or changed. */
export interface KeyHolder {
  readonly request_hash: string;
  readonly resource_id: string;
}

/** The columns that name a key, in the order in which keys are taken everywhere. */
const NAME = ['merchant_id', 'mode', 'resource_type', 'operation', 'key'] as const;
const NAMES = NAME.join(', ');

const nameText = (key: Pick<IdempotencyKey, (typeof NAME)[number]> | Row): string =>
  JSON.stringify(NAME.map((column) => key[column]));

/** A key as it is stored, with the record that it belongs to from now on. */
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

/** Who holds each of the keys, at its index; undefined where it is free. */
export async function keyHolders(
  db: Db,
  keys: readonly IdempotencyKey[],
): Promise<(KeyHolder | undefined)[]> {
  if (keys.length === 0) return [];
  const rows = await db.query(
    `select ${NAMES}, request_hash, resource_id from idempotency_keys where (${NAMES}) in
       (select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[]))`,
    NAME.map((column) => keys.map((key) => key[column])),
    'key_holders',
  );
  const holders = new Map(rows.map((row) => [nameText(row), holderOf(row)]));
  return keys.map((key) => holders.get(nameText(key)));
}

const holderOf = ({ request_hash, resource_id }: Row): KeyHolder => ({
  request_hash: request_hash as string,
  resource_id: resource_id as string,
});

/**
 * A statement's part that stores the keys of `source` which are free, in one order, so that two
 * batches never wait for each other in a circle. One that another transaction is about to take is waited for.
 */
export const takeKeysFrom = (source: string): string =>
  `insert into idempotency_keys select * from ${source} order by ${NAMES}
   on conflict do nothing returning resource_id`;

/** Stores keys in the caller's transaction; returns the records of those that were free. */
export async function takeKeys(
  tx: Db,
  catalog: Catalog,
  keys: readonly Row[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const taken = await tx.query(
    takeKeysFrom('json_populate_recordset(null::idempotency_keys, $1::json)'),
    [recordset(catalog('idempotency_keys'), keys)],
    'take_keys',
  );
  return new Set(taken.map((row) => row.resource_id as string));
}

/** Forgets keys that have expired by `now`, oldest first, at most `limit` of them. Returns how many. */
export async function forgetKeys(db: Db, now: string, limit: number): Promise<number> {
  const forgotten = await db.query(
    `with expired as (select ctid from idempotency_keys where expires_at <= $1
       order by expires_at limit $2 for update skip locked)
     delete from idempotency_keys where ctid in (select ctid from expired) returning 1`,
    [now, limit],
    'forget_keys',
  );
  return forgotten.length;
}
