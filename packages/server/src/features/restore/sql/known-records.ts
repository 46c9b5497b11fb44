import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyColumns, type RowKey } from '../../../platform/database/row-key.ts';
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

/** Marks attempts of before the restored time as recovered: later messages of their payments may exist. */
export const markRecovered = (db: Db, keys: readonly RowKey[], at: Micros): Promise<Row[]> =>
  db.query(
    `update attempts a set recovered_at = $3 from unnest($1::uuid[], $2::uuid[]) as k (merchant_id, id)
     where a.merchant_id = k.merchant_id and a.id = k.id
       and a.status in ('sending', 'unknown', 'reversing') and a.recovered_at is null`,
    [...keyColumns(keys), instantText(at)],
  );

/** The message of a capture or refund that Florin would ask about or send again. */
export async function findOpenFollowUp(
  db: Db,
  { merchant_id, id, payment_demand_id }: Row,
): Promise<Row | undefined> {
  const [row] = await db.query(
    `select * from attempts
     where merchant_id = $1 and payment_demand_id = $2 and due_at is not null
       and status in ('sending', 'unknown') and coalesce(capture_demand_id, refund_demand_id) = $3`,
    [merchant_id ?? null, payment_demand_id ?? null, id ?? null],
    'restore_open_follow_up',
  );
  return row;
}
