import type { Db } from '../../../platform/database/db.ts';
import { type MovedTable, ownerColumn } from '../tables.ts';

/** Lets a session change rows of a merchant behind the fence, also those that are never changed. */
export const nameMovedMerchant = (cell: Db, merchant_id: string): Promise<unknown> =>
  cell.query(`select set_config('florin.moved_merchant', $1, false)`, [merchant_id]);

/**
 * Deletes at most `limit` rows of a merchant. Rows that other rows of their table refer to stay for a later slice. Returns
 * the number of deleted rows.
 */
export async function removeSlice(
  cell: Db,
  { name, own_reference }: MovedTable,
  merchant_id: string,
  limit: number,
): Promise<number> {
  const isFree = own_reference
    ? `and not exists (select from ${name} r where r.merchant_id = t.merchant_id and r.${own_reference} = t.id)`
    : '';
  const rows = await cell.query(
    `delete from ${name} where ctid = any (array(select ctid from ${name} t
       where t.${ownerColumn(name)} = $1 ${isFree} limit $2)) returning 1`,
    [merchant_id, limit],
  );
  return rows.length;
}

export async function removeRoot(cell: Db, merchant_id: string): Promise<number> {
  const rows = await cell.query('delete from merchants where id = $1 returning 1', [merchant_id]);
  return rows.length;
}
