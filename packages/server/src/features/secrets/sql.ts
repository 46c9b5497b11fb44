import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { UUID_MIN } from '../../platform/database/slices/key-slices.ts';
import type { SealedColumn } from './sealed-columns.ts';

/** Key of a row: its owner and id. */
export interface PlaceInTable {
  readonly owner: string;
  readonly id: string;
}

/** Before the first row. */
export const TABLE_START: PlaceInTable = { owner: UUID_MIN, id: UUID_MIN };

/** Rows after a place that have a text, in the order of their key. Names of tables come from the code. */
export const readSealed = (
  db: Db,
  { table, column, owner }: SealedColumn,
  after: PlaceInTable,
  limit: number,
): Promise<Row[]> =>
  db.query(
    `select ${owner} as owner, id, ${column} as stored from ${table}
     where (${owner}, id) > ($1::uuid, $2::uuid) and ${column} is not null
     order by ${owner}, id limit $3`,
    [after.owner, after.id, limit],
    `read_sealed_${table}_${column}`,
  );

/** Rows whose text does not begin with `prefix`. */
export const readPlain = (
  db: Db,
  { table, column, owner }: SealedColumn,
  prefix: string,
  limit: number,
): Promise<Row[]> =>
  db.query(
    `select ${owner} as owner, id, ${column} as stored from ${table}
     where not starts_with(${column}, $1) limit $2`,
    [prefix, limit],
    `read_plain_${table}_${column}`,
  );

/** Number of texts that do not begin with `prefix`. */
export async function countPlain(
  db: Db,
  { table, column }: SealedColumn,
  prefix: string,
): Promise<number> {
  const [row] = await db.query(
    `select count(*) as count from ${table} where not starts_with(${column}, $1)`,
    [prefix],
    `count_plain_${table}_${column}`,
  );
  return Number(row?.count);
}

/** A text that replaces another one. */
export interface ResealedText {
  readonly row: Row;
  readonly sealed: string;
}

/** Stores texts, except in rows that changed since they were read. Returns how many. */
export async function storeResealed(
  db: Db,
  { table, column, owner }: SealedColumn,
  texts: readonly ResealedText[],
): Promise<number> {
  const rows = await db.query(
    `update ${table} t set ${column} = n.sealed
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as n (owner, id, before, sealed)
     where t.${owner} = n.owner and t.id = n.id and t.${column} = n.before returning t.id`,
    [
      texts.map(({ row }) => row.owner),
      texts.map(({ row }) => row.id),
      texts.map(({ row }) => row.stored),
      texts.map(({ sealed }) => sealed),
    ],
    `store_resealed_${table}_${column}`,
  );
  return rows.length;
}
