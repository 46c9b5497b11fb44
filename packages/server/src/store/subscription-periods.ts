import type { Db } from './db.ts';
import { keyColumns, keyText, type RowKey } from './transition.ts';

/** Lets the period of a subscription end that runs at a time: another one begins then. */
export async function endPeriod(tx: Db, { merchant_id, id }: RowKey, at: string): Promise<void> {
  await tx.query(
    `update subscription_periods set end_at = $3
     where merchant_id = $1 and payment_subscription_id = $2 and start_at < $3 and end_at > $3`,
    [merchant_id, id, at],
    'end_subscription_period',
  );
}

/** Of subscriptions, by the texts of their keys, those with a charge that has no outcome yet. */
export async function chargingOf(db: Db, keys: readonly RowKey[]): Promise<ReadonlySet<string>> {
  const rows = await db.query(
    `select k.merchant_id, k.id from unnest($1::uuid[], $2::uuid[]) as k (merchant_id, id)
     where exists (select 1 from payment_demands p where p.merchant_id = k.merchant_id
       and p.payment_subscription_id = k.id and p.status in ('pending', 'processing') offset 0)`,
    keyColumns(keys),
    'charging_subscriptions',
  );
  return new Set(rows.map(keyText));
}

/** Moves the period that a charge pays for to the one that runs when it is paid. */
export async function movePeriod(
  tx: Db,
  { merchant_id, id }: RowKey,
  start: string,
  end: string,
): Promise<void> {
  const values = [merchant_id, id, start, end];
  await tx.query(
    `update subscription_periods set start_at = $3, end_at = $4
     where merchant_id = $1 and payment_demand_id = $2`,
    values,
    'move_subscription_period',
  );
  await tx.query(
    `update payment_demands set period_start_at = $3, period_end_at = $4
     where merchant_id = $1 and id = $2`,
    values,
    'move_charge_period',
  );
}

/** Notes of the periods that charges were to pay for whether they stay unpaid. */
export async function markUnpaid(
  tx: Db,
  charges: readonly RowKey[],
  is_unpaid: boolean,
): Promise<void> {
  if (charges.length === 0) return;
  await tx.query(
    `update subscription_periods set skip_reason = case when $3 then 'unpaid' end
     where (merchant_id, payment_demand_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    [...keyColumns(charges), is_unpaid],
    'mark_unpaid_periods',
  );
}
