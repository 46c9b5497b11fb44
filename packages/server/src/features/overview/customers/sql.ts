import type { Db } from '../../../platform/database/db.ts';
import type { Scope } from '../../../platform/database/scope.ts';

/** Sums of the payments that were read, in one currency. */
export interface PaymentSums {
  readonly currency: string;
  /** Payments that were read, with incomplete and failed ones. */
  readonly read: number;
  readonly paid: number;
  readonly refunded: number;
  readonly paid_cents: string;
  readonly refunded_cents: string;
}

/** At most $4 payments of a customer. The index `payment_demands_payer` finds them, in no order. */
const PAYMENTS_OF = `
  select id, amount_currency, amount_captured_cents, amount_refunded_cents
  from payment_demands
  where merchant_id = $1 and mode = $2 and payer_id = $3 limit $4`;

/** Sums at most `max` payments of a customer by currency. */
export async function sumCustomerPayments(
  db: Db,
  scope: Scope,
  customer_id: string,
  max: number,
): Promise<readonly PaymentSums[]> {
  const rows = await db.query(
    `select amount_currency, count(*) as read,
       count(*) filter (where amount_captured_cents > 0) as paid,
       count(*) filter (where amount_refunded_cents > 0) as refunded,
       sum(amount_captured_cents) as paid_cents, sum(amount_refunded_cents) as refunded_cents
     from (${PAYMENTS_OF}) payments
     group by 1 order by paid desc, 1`,
    [scope.merchant_id, scope.mode, customer_id, max],
    'sum_customer_payments',
  );
  return rows.map((row) => ({
    currency: row.amount_currency as string,
    ...{ read: Number(row.read), paid: Number(row.paid), refunded: Number(row.refunded) },
    paid_cents: row.paid_cents as string,
    refunded_cents: row.refunded_cents as string,
  }));
}

/** Counts the disputes of at most `max` payments of a customer: one entry of an index each. */
export async function countCustomerDisputes(
  db: Db,
  scope: Scope,
  customer_id: string,
  max: number,
): Promise<{ readonly count: number; readonly open: number }> {
  const [row] = await db.query(
    `select count(*) as count,
       count(*) filter (where d.status in ('needs_response', 'under_review')) as open
     from (${PAYMENTS_OF}) payments
     cross join lateral (
       select status from disputes
       where merchant_id = $1 and mode = $2 and payment_demand_id = payments.id offset 0
     ) d
     where payments.amount_captured_cents > 0`,
    [scope.merchant_id, scope.mode, customer_id, max],
    'count_customer_disputes',
  );
  return { count: Number(row?.count), open: Number(row?.open) };
}

/** Counts at most `max` subscriptions of a customer that were started. */
export async function countCustomerSubscriptions(
  db: Db,
  scope: Scope,
  customer_id: string,
  max: number,
): Promise<{ readonly count: number; readonly active: number }> {
  const [row] = await db.query(
    `select count(*) as count, count(*) filter (where status = 'active') as active
     from (
       select status from payment_subscriptions
       where merchant_id = $1 and mode = $2 and payer_id = $3 and status <> 'pending' limit $4
     ) subscriptions`,
    [scope.merchant_id, scope.mode, customer_id, max],
    'count_customer_subscriptions',
  );
  return { count: Number(row?.count), active: Number(row?.active) };
}
