import type { Db } from '../../../platform/database/db.ts';

/** Says which move brings the merchant here. Belongs to the transaction of the copy. */
export const storeArrival = (cell: Db, merchant_id: string, move_id: string): Promise<unknown> =>
  cell.query(
    `insert into arrivals (merchant_id, move_id) values ($1, $2)
     on conflict (merchant_id) do update set move_id = excluded.move_id`,
    [merchant_id, move_id],
  );

/** Whether this move brought the rows that the cell has. */
export async function hasArrivedBy(
  cell: Db,
  merchant_id: string,
  move_id: string,
): Promise<boolean> {
  const rows = await cell.query(
    `select 1 from arrivals a join merchants m on m.id = a.merchant_id
     where a.merchant_id = $1 and a.move_id = $2`,
    [merchant_id, move_id],
  );
  return rows.length > 0;
}

export const deleteArrival = (cell: Db, merchant_id: string): Promise<unknown> =>
  cell.query('delete from arrivals where merchant_id = $1', [merchant_id]);
