import { type Catalog, recordset } from './catalog.ts';
import type { Db } from './db.ts';
import type { Row } from './row.ts';
import type { Scope } from './scope.ts';
import type { RowKey } from './transition.ts';

/** One row of a table whose rows belong to a merchant and a mode, if the scope may see it. */
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

/** Rows of many merchants by their keys, for work that serves them all. Those that do not exist are left out. */
export const rowsByKey = (
  db: Db,
  table: string,
  keys: readonly RowKey[],
  columns: readonly string[] = ['*'],
): Promise<Row[]> =>
  db.query(
    `select ${columns.join(', ')} from ${table}
     where (merchant_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    [keys.map(({ merchant_id }) => merchant_id), keys.map(({ id }) => id)],
    `by_key_${table}_${columns.join('_')}`,
  );

/** Whether some row of the scope has one of the columns set to the value. Each column wants an index. */
export async function anyRowWith(
  db: Db,
  table: string,
  scope: Scope,
  columns: readonly string[],
  value: string,
): Promise<boolean> {
  const each = columns.map(
    (column) =>
      `select 1 as found from ${table} where merchant_id = $1 and mode = $2 and ${column} = $3`,
  );
  const rows = await db.query(`${each.join(' union all ')} limit 1`, [
    scope.merchant_id,
    scope.mode,
    value,
  ]);
  return rows.length > 0;
}

/** Stores rows that tell of no event, in the caller's transaction. */
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
    [recordset(table, rows)],
    `insert_${name}`,
  );
}
