import type { Db } from '../../../platform/database/db.ts';
import type { Scope } from '../../../platform/database/scope.ts';

/** Counts payments of each state, at most `max` of a state. Reads that many entries of an index. */
export async function countPaymentStates(
  db: Db,
  scope: Scope,
  states: readonly string[],
  max: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query(
    `select states.status, (
       select count(*) from (
         select from payment_demands
         where merchant_id = $1 and mode = $2 and status = states.status limit $4
       ) counted
     ) as payments
     from unnest($3::text[]) as states(status)`,
    [scope.merchant_id, scope.mode, states, max],
    'count_payment_states',
  );
  return new Map(rows.map((row) => [row.status as string, Number(row.payments)]));
}

/** Counts refunded payments among `max` refunds, because one payment may have many of them. */
export async function countRefunded(
  db: Db,
  scope: Scope,
  max: number,
): Promise<{ readonly payments: number; readonly refunds: number }> {
  const [row] = await db.query(
    `select count(distinct payment_demand_id) as payments, count(*) as refunds from (
       select payment_demand_id from refund_demands
       where merchant_id = $1 and mode = $2 and status = 'succeeded' limit $3
     ) counted`,
    [scope.merchant_id, scope.mode, max],
    'count_refunded_payments',
  );
  return { payments: Number(row?.payments), refunds: Number(row?.refunds) };
}
