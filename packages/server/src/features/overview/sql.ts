import type { Db } from '../../platform/database/db.ts';
import type { Scope } from '../../platform/database/scope.ts';

/** Range of days in a time zone, as `YYYY-MM-DD`; `from` and `to` are included. */
export interface DaySpan {
  readonly from: string;
  readonly to: string;
  /** IANA time zone name. */
  readonly timezone: string;
}

/** Sum of one day's payments with the same currency and outcome. */
export interface PaymentSum {
  readonly day: string;
  readonly currency: string;
  /** Decline code; null for approved payments. */
  readonly failure_reason: string | null;
  readonly payments: number;
  /** Captured minor units, as text: sums can exceed JavaScript's exact numbers. */
  readonly captured_cents: string;
}

/** Sum of one day's succeeded refunds in one currency. */
export interface RefundSum {
  readonly day: string;
  readonly currency: string;
  readonly refunds: number;
  readonly refunded_cents: string;
}

/** SQL condition for the day `d.day`. Compares instants, so that an index on a timestamp applies. */
const onDay = (column: string): string =>
  `${column} >= d.day::timestamp at time zone $4
     and ${column} < (d.day + 1)::timestamp at time zone $4`;

/** SQL of sums for each day of `$3`. A row needs no date of its own, which would take most of the time. */
const ofEachDay = (sums: string): string =>
  `select to_char(d.day, 'YYYY-MM-DD') as day, s.*
   from unnest($3::date[]) d (day) cross join lateral (${sums}) s`;

/** Sums payments by the day of their creation; leaves out payments without an outcome. */
export async function sumPayments(
  db: Db,
  scope: Scope,
  days: readonly string[],
  timezone: string,
): Promise<PaymentSum[]> {
  const rows = await db.query(
    ofEachDay(
      `select amount_currency, failure_reason, count(*) as payments,
         sum(amount_captured_cents) as captured_cents
       from payment_demands
       where merchant_id = $1 and mode = $2 and ${onDay('created_at')}
         and (amount_authorised_cents > 0 or status = 'failed')
       group by 1, 2`,
    ),
    [scope.merchant_id, scope.mode, days, timezone],
    'sum_payments',
  );
  return rows.map((row) => ({
    day: row.day as string,
    currency: row.amount_currency as string,
    failure_reason: row.failure_reason ?? null,
    payments: Number(row.payments),
    captured_cents: row.captured_cents as string,
  }));
}

/** Sums refunds by the day on which they succeeded. */
export async function sumRefunds(
  db: Db,
  scope: Scope,
  days: readonly string[],
  timezone: string,
): Promise<RefundSum[]> {
  const rows = await db.query(
    ofEachDay(
      `select amount_currency, count(*) as refunds, sum(amount_cents) as refunded_cents
       from refund_demands
       where merchant_id = $1 and mode = $2 and ${onDay('succeeded_at')}
       group by 1`,
    ),
    [scope.merchant_id, scope.mode, days, timezone],
    'sum_refunds',
  );
  return rows.map((row) => ({
    day: row.day as string,
    currency: row.amount_currency as string,
    refunds: Number(row.refunds),
    refunded_cents: row.refunded_cents as string,
  }));
}
