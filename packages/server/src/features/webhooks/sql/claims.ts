import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyColumns, type RowKey } from '../../../platform/database/row-key.ts';
import { type ClaimScope, withinSql } from '../../../platform/database/within.ts';
import { shuffledBy, shuffleSeed } from '../../../platform/workers/shuffle.ts';

/** Limit of claimed deliveries of one subscription. */
export interface QueueLimit extends RowKey {
  readonly max: number;
}

/** Limit of claimed deliveries of one merchant. */
export interface MerchantLimit {
  readonly merchant_id: string;
  readonly max: number;
}

export interface DeliveryClaim {
  readonly now: string;
  /** End of the lease. If the process dies, other processes can claim the rows afterwards. */
  readonly lease_until: string;
  readonly limit: number;
  /**
   * Limits of subscriptions with deliveries in flight. `queue_limit` applies to every other
   * subscription.
   */
  readonly queue_limits: readonly QueueLimit[];
  readonly queue_limit: number;
  /**
   * Limits of merchants, across their subscriptions. `merchant_limit` applies to every other
   * merchant.
   */
  readonly merchant_limits: readonly MerchantLimit[];
  readonly merchant_limit: number;
  readonly within?: ClaimScope | undefined;
}

/**
 * SQL: subscriptions with pending deliveries. Steps through the index instead of reading all
 * deliveries.
 */
export const pendingCte = (condition = ''): string => `pending as (
       (select d.merchant_id, d.webhook_subscription_id as id from webhook_deliveries d
         where d.due_at is not null ${condition} order by d.merchant_id, d.webhook_subscription_id limit 1)
       union all
       select n.* from pending p cross join lateral (
         select d.merchant_id, d.webhook_subscription_id from webhook_deliveries d
         where d.due_at is not null ${condition} and (d.merchant_id, d.webhook_subscription_id) > (p.merchant_id, p.id)
         order by d.merchant_id, d.webhook_subscription_id limit 1) n
     )`;

/** Whether any delivery is pending, due or not. Cheaper to plan than a claim. */
export async function isAnyPending(db: Db): Promise<boolean> {
  const rows = await db.query(
    `select 1 from webhook_deliveries where due_at is not null
     order by merchant_id, webhook_subscription_id limit 1`,
    [],
    'any_webhook_delivery',
    'kept',
  );
  return rows.length > 0;
}

/**
 * Claims due deliveries, oldest first, within the limits of subscriptions and merchants: moves
 * their `due_at` to the end of the lease.
 * - Skips paused and archived subscriptions, and rows that another worker is claiming.
 * - Skips new deliveries of suspended subscriptions; after a suspension, claims one of them as a
 *   probe.
 * - Counts retries separately, so a subscription may get twice its limit.
 */
export function claimDeliveries(
  db: Db,
  {
    now,
    lease_until,
    limit,
    queue_limits,
    queue_limit,
    merchant_limits,
    merchant_limit,
    within,
  }: DeliveryClaim,
): Promise<Row[]> {
  const scopeFilter = withinSql('webhook_subscriptions', within, 12);
  const merchantCondition = within?.of === 'merchant' ? 'and d.merchant_id = $12' : '';
  return db.query(
    `with recursive ${pendingCte(merchantCondition)},
     endpoints as materialized (
       select s.merchant_id, s.id, coalesce(r.max, $4::int) as most,
         case when s.suspended_until is null then coalesce(r.max, $4::int)
           when s.suspended_until <= $1 then least(1, coalesce(r.max, $4::int)) else 0 end as untried
       from pending join (select * from webhook_subscriptions t where ${scopeFilter.sql}) s using (merchant_id, id)
       left join unnest($5::uuid[], $6::uuid[], $7::int[]) as r (merchant_id, id, max) using (merchant_id, id)
       where s.status = 'active' order by ${shuffledBy('s.id', 11)}
     ),
     merchant_queues as materialized (
       select t.merchant_id, coalesce(m.max, $8::int) as merchant_max,
         array_agg(t.id) as ids, array_agg(t.most) as maxima, array_agg(t.untried) as untried
       from endpoints t left join unnest($9::uuid[], $10::int[]) as m (merchant_id, max) using (merchant_id)
       group by t.merchant_id, m.max order by ${shuffledBy('t.merchant_id', 11)}
     ),
     due as materialized (
       select d.merchant_id, d.id from merchant_queues s cross join lateral (
         select one.merchant_id, one.id from unnest(s.ids, s.maxima, s.untried) as t (id, most, untried)
         cross join (values (true), (false)) as k (tried)
         cross join lateral (
           select w.merchant_id, w.id from webhook_deliveries w
           where w.merchant_id = s.merchant_id and w.webhook_subscription_id = t.id
             and (w.schedule_step > 0) = k.tried and w.due_at <= $1
           order by w.due_at limit case when k.tried then t.most else t.untried end
           for no key update skip locked) one
         limit s.merchant_max) d
       limit $3
     )
     update webhook_deliveries w set due_at = $2, held_back = false from due
     where w.merchant_id = due.merchant_id and w.id = due.id returning w.*`,
    [
      now,
      lease_until,
      limit,
      queue_limit,
      queue_limits.map(({ merchant_id }) => merchant_id),
      queue_limits.map(({ id }) => id),
      queue_limits.map(({ max }) => max),
      merchant_limit,
      merchant_limits.map(({ merchant_id }) => merchant_id),
      merchant_limits.map(({ max }) => max),
      shuffleSeed(),
      ...scopeFilter.values,
    ],
    `claim_webhook_deliveries${scopeFilter.name}`,
    'kept',
  );
}

/**
 * A suspension that has ended. The process that extends it first may send one delivery as a probe.
 */
export interface Probe extends RowKey {
  /** Value of the column when the subscription was read. */
  readonly suspended_until: string;
}

/**
 * Extends suspensions to `until`, except those that another process has extended. Returns the
 * extended suspensions.
 */
export const extendSuspensions = (
  db: Db,
  probes: readonly Probe[],
  until: string,
): Promise<Row[]> =>
  db.query(
    `with over as materialized (
       select s.merchant_id, s.id from webhook_subscriptions s
       join unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as p (merchant_id, id, suspended_until)
         using (merchant_id, id, suspended_until)
       order by s.merchant_id, s.id for no key update of s)
     update webhook_subscriptions s set suspended_until = $4 from over
     where s.merchant_id = over.merchant_id and s.id = over.id
     returning s.merchant_id, s.id, s.suspended_until`,
    [
      probes.map(({ merchant_id }) => merchant_id),
      probes.map(({ id }) => id),
      probes.map(({ suspended_until }) => suspended_until),
      until,
    ],
    'extend_webhook_suspensions',
  );

/**
 * Locks, in key order, subscriptions whose health may change: all in `unaccepted`, and those in
 * `attemptedKeys` with earlier failures.
 */
export const lockEndpoints = (
  tx: Db,
  attemptedKeys: readonly RowKey[],
  unaccepted: readonly RowKey[],
): Promise<Row[]> =>
  tx.query(
    `select * from webhook_subscriptions
     where (merchant_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))
       and (failing_since is not null
         or (merchant_id, id) in (select * from unnest($3::uuid[], $4::uuid[])))
     order by merchant_id, id for no key update`,
    [attemptedKeys, unaccepted].flatMap(keyColumns),
    'lock_webhook_endpoints',
  );

/** Locks, in key order, the suspended subscriptions in `keys`. */
export const lockSuspended = (tx: Db, keys: readonly RowKey[]): Promise<Row[]> =>
  tx.query(
    `select * from webhook_subscriptions
     where (merchant_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))
       and suspended_until is not null
     order by merchant_id, id for no key update`,
    keyColumns(keys),
    'lock_suspended_webhooks',
  );
