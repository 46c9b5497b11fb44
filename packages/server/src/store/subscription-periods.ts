import type { Db } from './db.ts';
import type { RowKey } from './transition.ts';

/** Lets the period of a subscription end that runs at a time: another one begins then. */
export async function endPeriod(tx: Db, { merchant_id, id }: RowKey, at: string): Promise<void> {
  await tx.query(
    `update subscription_periods set end_at = $3
     where merchant_id = $1 and payment_subscription_id = $2 and start_at < $3 and end_at > $3`,
    [merchant_id, id, at],
    'end_subscription_period',
  );
}
