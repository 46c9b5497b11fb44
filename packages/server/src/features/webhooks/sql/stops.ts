import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { pendingCte } from './claims.ts';

/** Which deliveries of archived subscriptions are nobody's: those due by `now`, and those due later than any lease. */
export interface Unleased {
  readonly now: string;
  /** Later than any lease that was given ends. */
  readonly leases_end: string;
  readonly limit: number;
}

/** Locks deliveries that archived subscriptions have yet to be sent. Rows that a worker has locked are skipped. */
export const lockOfArchived = (tx: Db, { now, leases_end, limit }: Unleased): Promise<Row[]> =>
  tx.query(
    `with recursive ${pendingCte()}
     select d.* from pending join webhook_subscriptions s using (merchant_id, id)
     cross join (values (true), (false)) as k (tried)
     cross join lateral (
       select w.* from webhook_deliveries w
       where w.merchant_id = s.merchant_id and w.webhook_subscription_id = s.id
         and (w.schedule_step > 0) = k.tried and (w.due_at <= $1 or w.due_at > $2)
       limit $3 for no key update skip locked) d
     where s.status = 'archived' limit $3`,
    [now, leases_end, limit],
    'lock_webhooks_of_archived',
  );

/** What paused subscriptions keep. */
export interface Kept {
  /** Nothing that was due by then. */
  readonly since: string;
  /** No more than so many, the newest. */
  readonly kept_max: number;
  readonly limit: number;
}

/** Locks deliveries that paused subscriptions have yet to be sent and do not keep. */
export const lockOfPaused = (tx: Db, { since, kept_max, limit }: Kept): Promise<Row[]> =>
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
     where s.status = 'paused' limit $3`,
    [since, kept_max, limit],
    'lock_webhooks_of_paused',
  );
