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

/** SQL condition for the range. Compares instants, so that an index on a timestamp applies. */
const withinDays = (column: string): string =>
  `${column} >= ($3::date)::timestamp at time zone $5
     and ${column} < ($4::date + 1)::timestamp at time zone $5`;

const dayOf = (column: string): string => `to_char(${column} at time zone $5, 'YYYY-MM-DD')`;

/** Sums payments created in the range; leaves out payments without an outcome. */
export async function sumPayments(db: Db, scope: Scope, span: DaySpan): Promise<PaymentSum[]> {
  const rows = await db.query(
    `select ${dayOf('created_at')} as day, amount_currency, failure_reason,
       count(*) as payments, sum(amount_captured_cents) as captured_cents
     from payment_demands
     where merchant_id = $1 and mode = $2 and ${withinDays('created_at')}
       and (amount_authorised_cents > 0 or status = 'failed')
     group by 1, 2, 3`,
    [scope.merchant_id, scope.mode, span.from, span.to, span.timezone],
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

/** Sums refunds that succeeded in the range. */
export async function sumRefunds(db: Db, scope: Scope, span: DaySpan): Promise<RefundSum[]> {
  const rows = await db.query(
    `select ${dayOf('succeeded_at')} as day, amount_currency,
       count(*) as refunds, sum(amount_cents) as refunded_cents
     from refund_demands
     where merchant_id = $1 and mode = $2 and ${withinDays('succeeded_at')}
     group by 1, 2`,
    [scope.merchant_id, scope.mode, span.from, span.to, span.timezone],
    'sum_refunds',
  );
  return rows.map((row) => ({
    day: row.day as string,
    currency: row.amount_currency as string,
    refunds: Number(row.refunds),
    refunded_cents: row.refunded_cents as string,
  }));
}
