import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { asUuid } from '../../../platform/database/uuid-text.ts';

/** The attempt with this id, of any merchant. */
export async function findAnyAttempt(db: Db, id: string): Promise<Row | undefined> {
  const [row] = await db.query(`select * from attempts where id = ${asUuid('$1::text')}`, [id]);
  return row;
}

export async function hasMerchant(db: Db, id: string): Promise<boolean> {
  const rows = await db.query(`select 1 from merchants where id = ${asUuid('$1::text')}`, [id]);
  return rows.length > 0;
}
