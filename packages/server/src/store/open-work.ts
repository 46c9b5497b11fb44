import type { Db } from './db.ts';
import type { Scope } from './scope.ts';

/** How far open records of a kind are counted. */
export const OPEN_COUNTED_MAX = 1_000;

/** How many records of a type are open, at most `OPEN_COUNTED_MAX`. */
export type OpenWork = Readonly<Record<keyof typeof openOf, number>>;

/** Sent, or to be sent by now. One whose answer was lost waits for the network to be asked, which is not counted. */
const demand = `(status = 'processing' or status = 'pending' and due_at <= $3) and outcome is null`;

/** What is open of each type at `$3`. A delivery that was never tried is under way where it is not due. */
const openOf = {
  payment_demands: demand,
  capture_demands: demand,
  refund_demands: demand,
  disputes: 'due_at <= $3',
  webhook_deliveries: `status = 'pending' and (due_at <= $3 or fails_count = 0) and exists
    (select 1 from webhook_subscriptions s where s.merchant_id = t.merchant_id
       and s.id = t.webhook_subscription_id and s.status = 'active')`,
} as const;

const counted = Object.entries(openOf).map(
  ([table, condition]) => `(select count(*) from (select 1 from ${table} t
     where merchant_id = $1 and mode = $2 and ${condition} limit ${OPEN_COUNTED_MAX}) counted) as ${table}`,
);

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
