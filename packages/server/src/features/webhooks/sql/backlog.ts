import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** Highest number that the count of pending deliveries shows. */
const PENDING_COUNTED_MAX = 10_000;

/** Deliveries of all merchants that wait for an attempt, due or later. The order is that of their index. */
export async function countPendingDeliveries(db: Db): Promise<number> {
  const [row] = await db.query(
    `select count(*) as count
     from (select from webhook_deliveries where due_at is not null
       order by merchant_id, webhook_subscription_id limit ${PENDING_COUNTED_MAX}) d`,
    [],
    'count_pending_deliveries',
  );
  return Number(row?.count);
}

/** Active subscriptions of all merchants whose last delivery failed, by mode. */
export const countFailingSubscriptions = (db: Db): Promise<Row[]> =>
  db.query(
    `select mode, count(*) as count from webhook_subscriptions
     where failing_since is not null and status = 'active' group by mode`,
    [],
    'count_failing_subscriptions',
  );

/** Active subscriptions of all merchants whose last delivery failed, longest first. */
export const listFailingSubscriptions = (db: Db, limit: number): Promise<Row[]> =>
  db.query(
    `select merchant_id, mode, id, failing_since from webhook_subscriptions
     where failing_since is not null and status = 'active' order by failing_since, id limit $1`,
    [limit],
    'list_failing_subscriptions',
  );
