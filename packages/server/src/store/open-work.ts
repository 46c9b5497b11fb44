import type { Db } from './db.ts';
import type { Scope } from './scope.ts';

/** How far open records of a kind are counted. */
export const OPEN_COUNTED_MAX = 1_000;

/** How many records of a type are open, at most `OPEN_COUNTED_MAX`; of `balances`, how many transfers they lack. */
export type OpenWork = Readonly<Record<keyof typeof openOf | 'balances', number>>;

/** Sent, or to be sent by now. One whose answer was lost waits for the network to be asked, which is not counted. */
const demand = `(status = 'processing' or status = 'pending' and due_at <= $3) and outcome is null`;

/**
 * What is open of each type at `$3`. A delivery that was never tried is under way where it is not due, unless it cannot be
 * signed; what waits for a suspended endpoint is due, or held back. A dispute is decided by the sandbox's bank as soon as
 * that has the response.
 */
const openOf = {
  payment_demands: demand,
  capture_demands: demand,
  refund_demands: demand,
  disputes: `(status in ('under_review', 'accepted') or status = 'needs_response' and evidence_due_at <= $3)`,
  webhook_deliveries: `status = 'pending'
    and (due_at <= $3 or fails_count = 0 and last_error is distinct from 'secret_unreadable') and exists
    (select 1 from webhook_subscriptions s where s.merchant_id = t.merchant_id
       and s.id = t.webhook_subscription_id and s.status = 'active'
       and (s.suspended_until is null or s.suspended_until <= $3 or schedule_step > 0
         or due_at > $3 and not held_back))`,
  letters: `status = 'pending' and tries_count = 0`,
  payment_subscriptions: 'due_at <= $3',
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

/** What a merchant has in a mode that the work loops have yet to do, or are doing, at an instant. */
export async function openWork(
  db: Db,
  { merchant_id, mode }: Scope,
  now: string,
): Promise<OpenWork> {
  const sql = `select ${counted.join(', ')}`;
  const [row] = await db.query(sql, [merchant_id, mode, now], 'open_work');
  return Object.fromEntries(
    Object.entries(row ?? {}).map(([table, count]) => [table, Number(count)]),
  ) as OpenWork;
}
