import type { Db } from '../../../platform/database/db.ts';
import { notStopped } from '../../../platform/database/installation/stopped.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { RowKey } from '../../../platform/database/row-key.ts';
import { pendingCte } from './claims.ts';

/**
 * Bounds for finding unclaimed deliveries: they are due by `now`, or later than any lease can end.
 */
export interface StopLimits {
  readonly now: string;
  /** Instant after which no lease ends. */
  readonly leases_end: string;
  readonly limit: number;
}

/** Locks pending deliveries of archived subscriptions. Skips rows that a worker has locked. */
export const lockOfArchived = (tx: Db, { now, leases_end, limit }: StopLimits): Promise<Row[]> =>
  tx.query(
    `with recursive ${pendingCte()}
     select d.* from pending join webhook_subscriptions s using (merchant_id, id)
     cross join (values (true), (false)) as k (tried)
     cross join lateral (
       select w.* from webhook_deliveries w
       where w.merchant_id = s.merchant_id and w.webhook_subscription_id = s.id
         and (w.schedule_step > 0) = k.tried and (w.due_at <= $1 or w.due_at > $2)
       limit $3 for no key update skip locked) d
     where s.status = 'archived' and ${notStopped('s.merchant_id')} limit $3`,
    [now, leases_end, limit],
    'lock_webhooks_of_archived',
  );

/** Subscriptions after a key, in the order of keys. */
export const nextSubscriptions = (db: Db, after: RowKey, limit: number): Promise<Row[]> =>
  db.query(
    `select merchant_id, id, status from webhook_subscriptions
     where (merchant_id, id) > ($1, $2) order by merchant_id, id limit $3`,
    [after.merchant_id, after.id, limit],
    'next_webhook_subscriptions',
  );

/** A paused subscription, with the limits of its backlog. */
export interface PausedBacklog extends RowKey {
  /** Deliveries that were due by this instant are stopped. */
  readonly since: string;
  /** Number of deliveries that stay: the newest. */
  readonly stored_max: number;
  readonly limit: number;
}

/**
 * Locks pending deliveries of a paused subscription past their retention. Reads up to `stored_max` entries of the index
 * twice, so a statement has one subscription.
 */
export const lockOfPaused = (
  tx: Db,
  { merchant_id, id, since, stored_max, limit }: PausedBacklog,
): Promise<Row[]> =>
  tx.query(
    `select d.* from webhook_subscriptions s
     cross join (values (true), (false)) as k (tried)
     cross join lateral (
       select greatest($3, (select w.due_at from webhook_deliveries w
         where w.merchant_id = s.merchant_id and w.webhook_subscription_id = s.id
           and (w.schedule_step > 0) = k.tried and w.due_at is not null
         order by w.due_at desc offset $4 limit 1)) as until) as old
     cross join lateral (
       select w.* from webhook_deliveries w
       where w.merchant_id = s.merchant_id and w.webhook_subscription_id = s.id
         and (w.schedule_step > 0) = k.tried and w.due_at <= old.until
       order by w.due_at limit $5 for no key update skip locked) d
     where s.merchant_id = $1 and s.id = $2 and s.status = 'paused' and ${notStopped('s.merchant_id')}
     limit $5`,
    [merchant_id, id, since, stored_max, limit],
    'lock_webhooks_of_paused',
  );
