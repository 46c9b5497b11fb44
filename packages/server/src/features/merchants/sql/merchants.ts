import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** Finds a merchant by id, for actions of the merchant without a key. */
export async function findMerchant(db: Db, id: string): Promise<Row | undefined> {
  const [row] = await db.query('select * from merchants where id = $1', [id], 'find_merchant');
  return row;
}

/** Locks a merchant, so that operators change it one after another. */
export async function lockMerchant(tx: Db, id: string): Promise<Row | undefined> {
  const [row] = await tx.query(
    'select * from merchants where id = $1 for no key update',
    [id],
    'lock_merchant',
  );
  return row;
}

/** Id of the last of the next `limit` merchants after an id; undefined if there are none. */
export async function lastOfNextMerchants(
  db: Db,
  after: string,
  limit: number,
): Promise<string | undefined> {
  const [row] = await db.query(
    `select id from (select id from merchants where id > $1 order by id limit $2) next order by id desc limit 1`,
    [after, limit],
    'next_merchants',
  );
  return row?.id ?? undefined;
}
