import type { Db } from '../../../platform/database/db.ts';
import type { RowKey } from '../../../platform/database/row-key.ts';
import { customerOf } from '../../../platform/database/within.ts';
import type { Services } from '../../../services.ts';

/** Work loop of a timeline, by its signal. */
export type TimelineLoop = Exclude<
  keyof Services['wake'],
  'balance' | 'account_emails' | 'notification'
>;

/**
 * Tables with due rows of a timeline and their loops, besides webhook deliveries. A leased row counts as due when
 * its lease ends, at the timeline's time.
 */
const dueTables = {
  payment_demands: 'authorise',
  capture_demands: 'capture',
  refund_demands: 'refund',
  payment_subscriptions: 'bill',
  attempts: 'resolve',
  disputes: 'dispute',
  authentications: 'expire',
  webhook_replays: 'replay',
  discarded_cards: 'destroy',
  letters: 'emails',
} as const satisfies Readonly<Record<string, TimelineLoop>>;

/**
 * Hours for which an advancing clock waits for an attempt without an outcome. Inquiries continue
 * afterwards.
 */
const AWAITED_HOURS = 1;

const extraConditions: Readonly<Record<string, string>> = {
  attempts: `and (t.unknown_since is null
    or t.unknown_since > $NOW - interval '${AWAITED_HOURS} hours')`,
};

/**
 * SQL condition: row `t` belongs to the timeline of clock `c`. A customer's own clock takes
 * precedence over the merchant's.
 */
export const isOnClockSql = (
  table: string,
): string => `t.merchant_id = c.merchant_id and t.mode = 'sandbox'
  and c.customer_id is not distinct from (select o.customer_id from sandbox_clocks o
    where o.merchant_id = t.merchant_id and o.customer_id = ${customerOf(table)} and o.status <> 'removed')`;

const dueRows = ([table, loop]: readonly [string, TimelineLoop]): string =>
  `select t.due_at as at, '${loop}' as loop from ${table} t
   where t.due_at is not null and ${isOnClockSql(table)} ${extraConditions[table] ?? ''}`;

/**
 * Deliveries follow the merchant's clock. New deliveries wait for a suspended endpoint; blocked
 * deliveries wait for the previous one.
 */
const deliveries = `select case when t.schedule_step = 0 then greatest(t.due_at, s.suspended_until)
    else t.due_at end as at, 'deliver' as loop
  from webhook_deliveries t join webhook_subscriptions s
    on s.merchant_id = t.merchant_id and s.id = t.webhook_subscription_id
  where c.customer_id is null and t.merchant_id = c.merchant_id and t.mode = 'sandbox'
    and t.due_at is not null and not t.held_back and s.status = 'active'`;

/**
 * Deliveries that a customer with an advanced clock caused, and that are not yet rescheduled to the
 * merchant's time.
 */
const deliveriesToReschedule = `select '-infinity'::timestamptz as at, 'reschedule' as loop from webhook_deliveries t
  where c.customer_id is not null and t.merchant_id = c.merchant_id and t.mode = 'sandbox'
    and t.due_at = t.created_at and t.due_at > $NOW - c.ahead_seconds * interval '1 second'
      + coalesce((select o.ahead_seconds from sandbox_clocks o
          where o.merchant_id = c.merchant_id and o.customer_id is null and o.status <> 'removed'), 0)
        * interval '1 second'`;

const simulatedEvents = `select t.later_at as at, 'simulate' as loop from attempts t
  where t.later_at is not null and ${isOnClockSql('attempts')}`;

const links = `select t.expires_at as at, 'expire' as loop from payment_links t
  where t.status = 'active' and t.expires_at is not null and ${isOnClockSql('payment_links')}`;

const instants = [
  ...Object.entries(dueTables).map(dueRows),
  simulatedEvents,
  links,
  deliveries,
  deliveriesToReschedule,
].join('\n union all ');

const withNow = (now: string, sql: string): string => sql.replaceAll('$NOW', `(${now})`);

/** SQL query: rows of due work on the timeline of clock `c`. `now` is an SQL expression. */
export const dueIn = (now: string): string =>
  withNow(now, `select 1 from (${instants}) i where i.at <= $NOW`);

const workInProgress = [
  ...['payment_demands', 'capture_demands', 'refund_demands'].map(
    (table) =>
      `select 1 from ${table} t where t.status = 'processing' and t.outcome is null and ${isOnClockSql(table)}`,
  ),
  `select 1 from disputes t where t.status in ('under_review', 'accepted') and ${isOnClockSql('disputes')}`,
].join('\n union all ');

/** Work of a timeline at an instant. */
export interface TimelineWork {
  /** Whether work other than deliveries is due or in flight. */
  readonly busy: boolean;
  readonly delivering: boolean;
  /** Whether work is in flight, due or not. */
  readonly in_progress: boolean;
  /** Loops with due rows. */
  readonly due: readonly TimelineLoop[];
  /** Next due time after the instant; undefined if none. */
  readonly next: string | undefined;
}

const TIMELINE_WORK = withNow(
  '$3::timestamptz',
  `select exists (${workInProgress}) as in_progress,
     coalesce(string_agg(distinct i.loop, ' ') filter (where i.at <= $NOW), '') as due,
     min(i.at) filter (where i.at > $NOW) as next
   from sandbox_clocks c left join lateral (${instants}) i on true
   where c.merchant_id = $1 and c.id = $2 and c.status <> 'removed' group by c.merchant_id, c.id`,
);

/** Reads the work of a timeline at `now`, the time of its clock. */
export async function timelineWork(
  db: Db,
  { merchant_id, id }: RowKey,
  now: string,
): Promise<TimelineWork> {
  const values = [merchant_id, id, now];
  const [row] = await db.query(TIMELINE_WORK, values, 'timeline_work', 'kept');
  const due = (row?.due?.split(' ').filter(Boolean) ?? []) as TimelineLoop[];
  const in_progress = row?.in_progress === 't';
  return {
    in_progress,
    busy: in_progress || due.some((loop) => loop !== 'deliver'),
    delivering: due.includes('deliver'),
    due,
    next: row?.next ?? undefined,
  };
}

/**
 * Sets deliveries that customers with advanced clocks caused to the merchant's time. Returns the
 * number of changed rows.
 */
export async function rescheduleMerchant(
  db: Db,
  merchant_id: string,
  now: string,
): Promise<number> {
  const rescheduledRows = await db.query(
    `update webhook_deliveries t set due_at = $2
     where t.merchant_id = $1 and t.mode = 'sandbox' and t.due_at = t.created_at and t.due_at > $2
     returning 1`,
    [merchant_id, now],
    'make_over_deliveries',
  );
  return rescheduledRows.length;
}
