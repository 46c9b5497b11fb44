import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyColumns, type RowKey } from '../../../platform/database/row-key.ts';

/**
 * Deliveries that an earlier delivery of the same record blocks, with the earlier delivery's due
 * time.
 */
export const waitingDeliveries = (db: Db, keys: readonly RowKey[]): Promise<Row[]> =>
  db.query(
    `select w.merchant_id, w.id, first.due_at from webhook_deliveries w
     cross join lateral (
       select e.due_at from webhook_deliveries e
       where e.merchant_id = w.merchant_id and e.webhook_subscription_id = w.webhook_subscription_id
         and e.order_key = w.order_key and e.status = 'pending' and e.sequence < w.sequence
       order by e.sequence limit 1) first
     where (w.merchant_id, w.id) in (select * from unnest($1::uuid[], $2::uuid[]))
       and w.order_key is not null and w.status = 'pending'`,
    keyColumns(keys),
    'waiting_webhook_deliveries',
  );

/** Deliveries of one record's events to one subscription, in order. */
export interface DeliveryLine {
  readonly merchant_id: string;
  readonly webhook_subscription_id: string;
  readonly order_key: string;
}

/**
 * Makes blocked deliveries due if no earlier delivery is pending. Must run after the commit that ended or blocked a
 * delivery, so that the later of two concurrent transactions sees the other. Returns the number of changed rows.
 */
export async function unblockDeliveries(
  db: Db,
  lines: readonly DeliveryLine[],
  now: string,
): Promise<number> {
  if (lines.length === 0) return 0;
  const unblockedRows = await db.query(
    `with next as materialized (
       select first.merchant_id, first.id
       from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as l (merchant_id, subscription_id, order_key)
       cross join lateral (
         select d.merchant_id, d.id, d.held_back from webhook_deliveries d
         where d.merchant_id = l.merchant_id and d.webhook_subscription_id = l.subscription_id
           and d.order_key = l.order_key and d.status = 'pending'
         order by d.sequence limit 1) first
       where first.held_back),
     locked as materialized (
       select w.merchant_id, w.id from webhook_deliveries w
       where (w.merchant_id, w.id) in (select * from next) and w.held_back
       order by w.merchant_id, w.id for no key update)
     update webhook_deliveries w set due_at = $4, held_back = false from locked
     where w.merchant_id = locked.merchant_id and w.id = locked.id returning 1`,
    [
      lines.map(({ merchant_id }) => merchant_id),
      lines.map(({ webhook_subscription_id }) => webhook_subscription_id),
      lines.map(({ order_key }) => order_key),
      now,
    ],
    'release_webhook_deliveries',
  );
  return unblockedRows.length;
}
