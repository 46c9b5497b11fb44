import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** A merchant by its id, for what is done in its name without any of its keys. */
export async function findMerchant(db: Db, id: string): Promise<Row | undefined> {
  const [row] = await db.query('select * from merchants where id = $1', [id], 'find_merchant');
  return row;
}

/** A merchant, locked: what operators do about it is done one after the other. */
export async function lockMerchant(tx: Db, id: string): Promise<Row | undefined> {
  const [row] = await tx.query(
    'select * from merchants where id = $1 for no key update',
    [id],
    'lock_merchant',
  );
  return row;
}
