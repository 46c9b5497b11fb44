import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** Number of recovered attempts by mode and status. */
export const countRecovered = (db: Db): Promise<Row[]> =>
  db.query(
    `select mode, status, count(*) as number from attempts where recovered_at is not null
     group by mode, status order by mode, status`,
    [],
  );

/** Recovered attempts whose outcome, or whose reversal, a person must find out, the oldest first. */
export const undecidedAttempts = (db: Db, limit: number): Promise<Row[]> =>
  db.query(
    `select a.mode, a.id, a.merchant_id, a.payment_demand_id, a.amount_cents, a.amount_currency, a.status, a.processor, a.codes, a.approved_cents,
       p.payment_subscription_id, c.name as account
     from attempts a
     join payment_demands p on p.merchant_id = a.merchant_id and p.id = a.payment_demand_id
     left join processor_accounts c on c.id = a.processor_account_id
     where a.recovered_at is not null and a.status in ('unknown', 'reversing') and a.abandoned_at is null
       and a.due_at is null
     order by a.recovered_at, a.id limit $1`,
    [limit],
  );

/** Number of reversals that nobody confirms. A later message of their payment may have charged. */
export async function countUndecidedReversals(db: Db): Promise<number> {
  const [row] = await db.query(
    `select count(*) as number from attempts where recovered_at is not null and status = 'reversing'
       and abandoned_at is null and due_at is null`,
    [],
  );
  return Number(row?.number);
}
