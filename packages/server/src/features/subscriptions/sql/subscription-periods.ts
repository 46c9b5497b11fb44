import type { Db } from '../../../platform/database/db.ts';
import { keyColumns, keyText, type RowKey } from '../../../platform/database/row-key.ts';

/** Ends a subscription's current period at the time at which the next one begins. */
export async function endPeriod(tx: Db, { merchant_id, id }: RowKey, at: string): Promise<void> {
  await tx.query(
    `update subscription_periods set end_at = $3
     where merchant_id = $1 and payment_subscription_id = $2 and start_at < $3 and end_at > $3`,
    [merchant_id, id, at],
    'end_subscription_period',
  );
}

/** Keys of subscriptions with a charge that has no outcome yet, as text. */
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

export async function markUnpaid(tx: Db, charges: readonly RowKey[]): Promise<void> {
  if (charges.length === 0) return;
  await tx.query(
    `update subscription_periods set skip_reason = 'unpaid'
     where (merchant_id, payment_demand_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    keyColumns(charges),
    'mark_unpaid_periods',
  );
}

/** Marks as unpaid the periods of ended subscriptions whose charges failed. */
export async function markEndedUnpaid(tx: Db, subscriptions: readonly RowKey[]): Promise<void> {
  if (subscriptions.length === 0) return;
  await tx.query(
    `update subscription_periods p set skip_reason = 'unpaid'
     from unnest($1::uuid[], $2::uuid[]) as k (merchant_id, id), payment_demands d
     where p.merchant_id = k.merchant_id and p.payment_subscription_id = k.id
       and d.merchant_id = p.merchant_id and d.id = p.payment_demand_id and d.status = 'failed'`,
    keyColumns(subscriptions),
    'mark_ended_periods_unpaid',
  );
}

/** Deletes the periods of given-up changes and restores the end of the previous periods. */
export async function undoPeriods(tx: Db, charges: readonly RowKey[]): Promise<void> {
  if (charges.length === 0) return;
  await tx.query(
    `with undone as (
       select merchant_id, payment_subscription_id as id, start_at from subscription_periods
       where (merchant_id, payment_demand_id) in (select * from unnest($1::uuid[], $2::uuid[]))
     ), gone as (
       delete from subscription_periods p using undone u
       where p.merchant_id = u.merchant_id and p.payment_subscription_id = u.id
         and p.start_at >= u.start_at
     )
     update subscription_periods p set end_at = s.current_period_end_at
     from undone u join payment_subscriptions s using (merchant_id, id)
     where p.merchant_id = u.merchant_id and p.payment_subscription_id = u.id
       and p.end_at = u.start_at`,
    keyColumns(charges),
    'undo_subscription_periods',
  );
}

/** Payment of a charge that differs from its plan, by the charge's key. */
export interface ChargeOutcome extends RowKey {
  /** New price of the period in minor units; absent if unchanged. */
  readonly amount_cents?: string;
  /** Whether credit paid instead of the card. */
  readonly by_credit: boolean;
  /** Period that the charge pays for, if it differs from the planned one. */
  readonly moved?: { readonly start_at: string; readonly end_at: string };
}

/** Updates the periods of charges to their actual payment. */
export async function recordPeriodOutcomes(
  tx: Db,
  settled: readonly ChargeOutcome[],
): Promise<void> {
  if (settled.length === 0) return;
  const rows = settled.map(({ moved, ...row }) => ({ ...row, ...moved }));
  await tx.query(
    `with settled as (
       select * from json_to_recordset($1::json) as s (merchant_id uuid, id uuid,
         amount_cents bigint, by_credit boolean, start_at timestamptz, end_at timestamptz)
     ), moved as (
       update payment_demands p set period_start_at = s.start_at, period_end_at = s.end_at
       from settled s where p.merchant_id = s.merchant_id and p.id = s.id and s.start_at is not null
     )
     update subscription_periods p set
       start_at = coalesce(s.start_at, p.start_at), end_at = coalesce(s.end_at, p.end_at),
       amount_cents = coalesce(s.amount_cents, p.amount_cents),
       skip_reason = case when s.by_credit then 'credit' end,
       payment_demand_id = case when not s.by_credit then p.payment_demand_id end
     from settled s where p.merchant_id = s.merchant_id and p.payment_demand_id = s.id`,
    [JSON.stringify(rows)],
    'settle_subscription_periods',
  );
}
