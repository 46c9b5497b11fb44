import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** A slice of the merchants that a cell has, in the order of their ids, with the states of their stops. */
export const readMerchants = (cell: Db, after: string, limit: number): Promise<Row[]> =>
  cell.query(
    `select m.id, s.state as stop from merchants m left join stopped_merchants s on s.merchant_id = m.id
     where m.id > $1 order by m.id limit $2`,
    [after, limit],
  );

/** The merchants of `ids` that a cell has, with the states of their stops. */
export const readHeld = (cell: Db, ids: readonly string[]): Promise<Row[]> =>
  cell.query(
    `select m.id, s.state as stop from merchants m left join stopped_merchants s on s.merchant_id = m.id
     where m.id = any ($1::uuid[])`,
    [ids],
  );

/** A slice of the merchants that the directory places in a cell, in the order of their ids. */
export const readPlaced = (
  global: Db,
  cell_id: string,
  after: string,
  limit: number,
): Promise<Row[]> =>
  global.query(
    `select merchant_id as id from directory_merchants where cell_id = $1 and merchant_id > $2
     order by merchant_id limit $3`,
    [cell_id, after, limit],
  );

/** Cells of merchants by the directory, and their moves. */
export const readPlaces = (global: Db, ids: readonly string[]): Promise<Row[]> =>
  global.query(
    `select i.id, c.name as named, t.name as target, m.leased_until > statement_timestamp() as is_leased
     from unnest($1::uuid[]) i (id) left join directory_merchants d on d.merchant_id = i.id
       left join cells c on c.id = d.cell_id left join directory_moves m on m.merchant_id = i.id
       left join cells t on t.id = m.to_cell_id`,
    [ids],
  );

/** Merchants of moves whose commands have died, or may die. */
export const readMoving = (global: Db): Promise<Row[]> =>
  global.query('select merchant_id as id from directory_moves', []);
