import { type Catalog, recordsetOf } from './catalog.ts';
import type { Db } from './db.ts';
import type { Row } from './row.ts';
import { keyColumns, keyText, type RowKey } from './row-key.ts';
import type { Scope } from './scope.ts';

/** Finds one row of a table scoped by merchant and mode. */
export async function findRow(
  db: Db,
  table: string,
  scope: Scope,
  id: string,
): Promise<Row | undefined> {
  const [row] = await db.query(
    `select * from ${table} where merchant_id = $1 and mode = $2 and id = $3`,
    [scope.merchant_id, scope.mode, id],
    `find_${table}`,
  );
  return row;
}

/** Finds the newest row of a scope whose columns have these values. */
export async function findNewestRow(
  db: Db,
  table: string,
  scope: Scope,
  values: Readonly<Record<string, string>>,
): Promise<Row | undefined> {
  const [row] = await findNewestRows(db, table, scope, values, 1);
  return row;
}

/** Finds at most `limit` newest rows of a scope whose columns have these values. */
export function findNewestRows(
  db: Db,
  table: string,
  scope: Scope,
  values: Readonly<Record<string, string>>,
  limit: number,
): Promise<Row[]> {
  const columns = Object.keys(values);
  return db.query(
    `select * from ${table} where merchant_id = $1 and mode = $2
       ${columns.map((column, at) => `and ${column} = $${at + 4}`).join(' ')}
     order by created_at desc, id desc limit $3`,
    [scope.merchant_id, scope.mode, limit, ...Object.values(values)],
    `newest_${table}_${columns.join('_')}`,
  );
}

/** Selection of rows to count, with the limit of the count. */
interface CountSelection {
  readonly merchant_id: string;
  /** Mode of the counted rows; absent: both. */
  readonly mode?: Scope['mode'];
  /** Restricts the count to rows whose `expiryColumn` is null or later than `at`. */
  readonly unexpired?: { readonly expiryColumn: string; readonly at: string };
  readonly up_to: number;
}

/** Counts a merchant's rows in a table, up to `up_to`. */
export async function countRows(
  db: Db,
  table: string,
  { merchant_id, mode, unexpired, up_to }: CountSelection,
): Promise<number> {
  const values: unknown[] = [merchant_id, up_to];
  const conditions = ['merchant_id = $1'];
  if (mode) conditions.push(`mode = $${values.push(mode)}`);
  if (unexpired) {
    const at = `$${values.push(unexpired.at)}`;
    conditions.push(`(${unexpired.expiryColumn} is null or ${unexpired.expiryColumn} > ${at})`);
  }
  const [row] = await db.query(
    `select count(*) as count from
       (select 1 from ${table} where ${conditions.join(' and ')} limit $2) counted`,
    values,
    `count_${table}_${mode ? 'mode' : ''}_${unexpired?.expiryColumn ?? ''}`,
  );
  return Number(row?.count);
}

/** Rows of several merchants by key. Missing rows are omitted. */
export const findRowsByKey = (
  db: Db,
  table: string,
  keys: readonly RowKey[],
  columns: readonly string[] = ['*'],
): Promise<Row[]> =>
  db.query(
    `select ${columns.join(', ')} from ${table}
     where (merchant_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    keyColumns(keys),
    `by_key_${table}_${columns.join('_')}`,
  );

/** The given keys that a row of `table` has in one of the columns. Each column needs an index. */
export async function findKeysInUse(
  db: Db,
  table: string,
  columns: readonly string[],
  keys: readonly RowKey[],
): Promise<ReadonlySet<string>> {
  const conditions = columns.map(
    (column) =>
      `exists (select 1 from ${table} t where t.merchant_id = k.merchant_id and t.${column} = k.id)`,
  );
  const rows = await db.query(
    `select k.merchant_id, k.id from unnest($1::uuid[], $2::uuid[]) as k (merchant_id, id)
     where ${conditions.join(' or ')}`,
    keyColumns(keys),
    `in_use_${table}_${columns.join('_')}`,
  );
  return new Set(rows.map(keyText));
}

/** Stores rows without events, in the caller's transaction. */
export async function insertRows(
  tx: Db,
  catalog: Catalog,
  name: string,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const table = catalog(name);
  const columns = table.columns.join(', ');
  await tx.query(
    `insert into ${name} (${columns}) select ${columns} from json_populate_recordset(null::${name}, $1::json)`,
    [recordsetOf(table, rows)],
    `insert_${name}`,
  );
}
