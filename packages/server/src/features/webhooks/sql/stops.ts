import type { Db } from '../../../platform/database/db.ts';
import { notStopped } from '../../../platform/database/installation/stopped.ts';
import type { Row } from '../../../platform/database/row.ts';
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

/** Limits of a paused subscription's backlog. */
export interface BacklogLimits {
  /** Deliveries that were due by this instant are stopped. */
  readonly since: string;
  /** Number of deliveries that stay: the newest. */
  readonly stored_max: number;
  readonly limit: number;
}

/** Locks pending deliveries of paused subscriptions past their retention. */
export const lockOfPaused = (tx: Db, { since, stored_max, limit }: BacklogLimits): Promise<Row[]> =>
  tx.query(
    `with recursive ${pendingCte()}
     select d.* from pending join webhook_subscriptions s using (merchant_id, id)
     cross join (values (true), (false)) as k (tried)
     cross join lateral (
       select greatest($1, (select w.due_at from webhook_deliveries w
         where w.merchant_id = s.merchant_id and w.webhook_subscription_id = s.id
           and (w.schedule_step > 0) = k.tried and w.due_at is not null
         order by w.due_at desc offset $2 limit 1)) as until) as old
     cross join lateral (
       select w.* from webhook_deliveries w
       where w.merchant_id = s.merchant_id and w.webhook_subscription_id = s.id
         and (w.schedule_step > 0) = k.tried and w.due_at <= old.until
       order by w.due_at limit $3 for no key update skip locked) d
     where s.status = 'paused' and ${notStopped('s.merchant_id')} limit $3`,
    [since, stored_max, limit],
    'lock_webhooks_of_paused',
  );
