import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { RowKey } from '../../../platform/database/row-key.ts';
import { asUuid } from '../../../platform/database/uuid-text.ts';
import { instantText, type Micros } from '../../../platform/time/clock.ts';

/** The attempt with this id, of any merchant. */
export async function findAnyAttempt(db: Db, id: string): Promise<Row | undefined> {
  const [row] = await db.query(`select * from attempts where id = ${asUuid('$1::text')}`, [id]);
  return row;
}

export async function hasMerchant(db: Db, id: string): Promise<boolean> {
  const rows = await db.query(`select 1 from merchants where id = ${asUuid('$1::text')}`, [id]);
  return rows.length > 0;
}

/** Puts an attempt of before the restored time into the report, so that an operator can decide about it. */
export const markRecovered = (db: Db, { merchant_id, id }: RowKey, at: Micros): Promise<Row[]> =>
  db.query(
    `update attempts set recovered_at = $3
     where merchant_id = $1 and id = $2 and status in ('sending', 'unknown') and recovered_at is null`,
    [merchant_id as string, id as string, instantText(at)],
  );

/** Number of holds of accounts, which may have been captured or released after the restored time, by account. */
export const countAccountHolds = (db: Db): Promise<Row[]> =>
  db.query(
    `select c.mode, c.name, count(*) as number from payment_demands p
     join attempts a on a.merchant_id = p.merchant_id and a.payment_demand_id = p.id
       and a.operation = 'authorise' and a.status = 'approved'
     join processor_accounts c on c.id = a.processor_account_id
     where p.status = 'authorised' group by c.mode, c.name order by c.mode, c.name`,
    [],
  );
