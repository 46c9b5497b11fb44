import type { Db } from '../../../platform/database/db.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import { customerOf } from '../../../platform/database/within.ts';

/** Maximum count of open records per type. */
export const OPEN_COUNTED_MAX = 1_000;

/**
 * Open records per type, at most `OPEN_COUNTED_MAX` each. `balances` counts transfers that the
 * balances do not include yet, `sandbox_clocks` those that advance.
 */
export type OpenWork = Readonly<
  Record<keyof typeof openConditionByTable | 'balances' | 'sandbox_clocks', number>
>;

/** SQL: the latest time of the clocks of a merchant and its customers. */
const LATEST_CLOCK = `select greatest($3, $4::timestamptz + max(ahead_seconds) * interval '1 second') as at
  from sandbox_clocks where merchant_id = $1 and $2 = 'sandbox' and status <> 'removed'`;

/** SQL: whether a row is due by its customer's clock, or else by its merchant's. */
const isReached = (
  column: string,
  table: string,
): string => `${column} <= (select at from latest_clock) and ${column} <= coalesce(
    (select $4::timestamptz + o.ahead_seconds * interval '1 second' from sandbox_clocks o
     where t.mode = 'sandbox' and o.merchant_id = t.merchant_id and o.customer_id = ${customerOf(table)}
       and o.status <> 'removed'), $3)`;

/**
 * SQL: a demand is in flight or due. Excludes demands with a lost response: they wait for an
 * inquiry.
 */
const demandWork = (table: string): string =>
  `(status = 'processing' or status = 'pending' and ${isReached('due_at', table)}) and outcome is null`;

/**
 * SQL: conditions of open work by table. `$3` is the merchant's time, `$4` the system clock's. Untried signable
 * deliveries count before they are due. Due or blocked deliveries to suspended endpoints do not count.
 */
const openConditionByTable = {
  payment_demands: demandWork('payment_demands'),
  capture_demands: demandWork('capture_demands'),
  refund_demands: demandWork('refund_demands'),
  disputes: `(status in ('under_review', 'accepted')
    or status = 'needs_response' and ${isReached('evidence_due_at', 'disputes')})`,
  webhook_deliveries: `status = 'pending'
    and (due_at <= $3 or fails_count = 0 and last_error is distinct from 'secret_unreadable') and exists
    (select 1 from webhook_subscriptions s where s.merchant_id = t.merchant_id
       and s.id = t.webhook_subscription_id and s.status = 'active'
       and (s.suspended_until is null or s.suspended_until <= $3 or schedule_step > 0
         or due_at > $3 and not held_back))`,
  letters: `status = 'pending' and tries_count = 0`,
  payment_subscriptions: isReached('due_at', 'payment_subscriptions'),
  webhook_replays: `status = 'pending' and due_at <= $3::timestamptz + interval '2 seconds'`,
} as const;

/** SQL: transfers that the balances do not include yet. */
const NOT_BALANCED = 'posted_in >= (select posted_before from balance_horizon)';

const countOf = (table: string, condition: string, name = table): string =>
  `(select count(*) from (select 1 from ${table} t
     where merchant_id = $1 and mode = $2 and ${condition} limit ${OPEN_COUNTED_MAX}) counted) as ${name}`;

/** SQL: clocks have no mode, as live mode has none. */
const ADVANCING_CLOCKS = `(select count(*) from sandbox_clocks
     where merchant_id = $1 and $2 = 'sandbox' and status = 'advancing') as sandbox_clocks`;

const openCounts = [
  ...Object.entries(openConditionByTable).map(([table, condition]) => countOf(table, condition)),
  countOf('ledger_transfers', NOT_BALANCED, 'balances'),
  ADVANCING_CLOCKS,
];

/**
 * Work of a merchant and mode that is due or in progress: at `now`, its own time, or at
 * `system_now`, the system clock's time.
 */
export async function openWork(
  db: Db,
  { merchant_id, mode }: Scope,
  now: string,
  system_now: string,
): Promise<OpenWork> {
  const sql = `with latest_clock as materialized (${LATEST_CLOCK}) select ${openCounts.join(', ')}`;
  const values = [merchant_id, mode, now, system_now];
  const [row] = await db.query(sql, values, 'open_work', 'kept');
  return Object.fromEntries(
    Object.entries(row ?? {}).map(([table, count]) => [table, Number(count)]),
  ) as OpenWork;
}
