import type { Db } from '../../../platform/database/db.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import { customerOf } from '../../../platform/database/within.ts';

/** How far open records of a kind are counted. */
export const OPEN_COUNTED_MAX = 1_000;

/** How many records of a type are open, at most `OPEN_COUNTED_MAX`; of `balances`, how many transfers they lack. */
export type OpenWork = Readonly<Record<keyof typeof openOf | 'balances', number>>;

/** The furthest of the times that the merchant and its customers have. */
const FURTHEST = `select greatest($3, $4::timestamptz + max(ahead_seconds) * interval '1 second') as at
  from sandbox_clocks where merchant_id = $1 and $2 = 'sandbox' and status <> 'removed'`;

/** Whether a time of a row has come: by the clock of its customer, or else of its merchant. */
const hasCome = (
  column: string,
  table: string,
): string => `${column} <= (select at from furthest) and ${column} <= coalesce(
    (select $4::timestamptz + o.ahead_seconds * interval '1 second' from sandbox_clocks o
     where t.mode = 'sandbox' and o.merchant_id = t.merchant_id and o.customer_id = ${customerOf(table)}
       and o.status <> 'removed'), $3)`;

/** Sent, or to be sent by now. One whose answer was lost waits for the network to be asked, which is not counted. */
const demand = (table: string): string =>
  `(status = 'processing' or status = 'pending' and ${hasCome('due_at', table)}) and outcome is null`;

/**
 * What is open of each type at `$3`, or at the time of its customer; `$4` is the machine's. A delivery that was never
 * tried is under way where it is not due, unless it cannot be signed; what waits for a suspended endpoint is due, or held
 * back. A dispute is decided by the sandbox's bank as soon as that has the response.
 */
const openOf = {
  payment_demands: demand('payment_demands'),
  capture_demands: demand('capture_demands'),
  refund_demands: demand('refund_demands'),
  disputes: `(status in ('under_review', 'accepted')
    or status = 'needs_response' and ${hasCome('evidence_due_at', 'disputes')})`,
  webhook_deliveries: `status = 'pending'
    and (due_at <= $3 or fails_count = 0 and last_error is distinct from 'secret_unreadable') and exists
    (select 1 from webhook_subscriptions s where s.merchant_id = t.merchant_id
       and s.id = t.webhook_subscription_id and s.status = 'active'
       and (s.suspended_until is null or s.suspended_until <= $3 or schedule_step > 0
         or due_at > $3 and not held_back))`,
  letters: `status = 'pending' and tries_count = 0`,
  payment_subscriptions: hasCome('due_at', 'payment_subscriptions'),
  webhook_replays: `status = 'pending' and due_at <= $3::timestamptz + interval '2 seconds'`,
} as const;

/** Transfers that the balances do not have yet. */
const NOT_BALANCED = 'posted_in >= (select posted_before from balance_horizon)';

const countOf = (table: string, condition: string, name = table): string =>
  `(select count(*) from (select 1 from ${table} t
     where merchant_id = $1 and mode = $2 and ${condition} limit ${OPEN_COUNTED_MAX}) counted) as ${name}`;

const counted = [
  ...Object.entries(openOf).map(([table, condition]) => countOf(table, condition)),
  countOf('ledger_transfers', NOT_BALANCED, 'balances'),
];

/** What a merchant has in a mode that the work loops have yet to do, or are doing: at its own time, and the machine's. */
export async function openWork(
  db: Db,
  { merchant_id, mode }: Scope,
  now: string,
  machine: string,
): Promise<OpenWork> {
  const sql = `with furthest as materialized (${FURTHEST}) select ${counted.join(', ')}`;
  const [row] = await db.query(sql, [merchant_id, mode, now, machine], 'open_work');
  return Object.fromEntries(
    Object.entries(row ?? {}).map(([table, count]) => [table, Number(count)]),
  ) as OpenWork;
}
