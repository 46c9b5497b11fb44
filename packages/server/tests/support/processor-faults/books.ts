import type { Database } from '../../../src/platform/database/db.ts';
import type { Row } from '../../../src/platform/database/row.ts';
import type { ScenarioResult } from './merchant.ts';

/** A payment in the books of a stand-in. Amounts are minor units. */
export interface BookedPayment {
  /** On hold, if nothing of it is captured. */
  readonly held: number;
  readonly captured: number;
  readonly refunded: number;
}

/** A capture or refund, by Florin's ids. */
export interface BookedFollowUp {
  readonly operation: string;
  readonly authorisation_id: string;
  readonly demand_id: string;
}

/** Books of a stand-in, as an operator reads them at the processor. */
export interface StandInBooks {
  /** Payments of an authorisation: one, unless it never arrived or was doubled. */
  bookedPaymentsOf(attempt_id: string): Promise<readonly BookedPayment[]>;
  /** Whether the processor executed a capture or refund. Undefined while it has not decided. */
  hasExecuted(followUp: BookedFollowUp): Promise<boolean | undefined>;
}

/** Payments with their authorisations. */
export const selectPayments = (db: Database, ids: readonly string[]): Promise<Row[]> =>
  db.query(
    `select p.id, p.status, p.amount_captured_cents, p.amount_refunded_cents,
       array_to_string(array(select a.id from attempts a where a.merchant_id = p.merchant_id
         and a.payment_demand_id = p.id and a.operation = 'authorise'), ',') as attempts,
       array_to_string(array(select d.status from disputes d where d.merchant_id = p.merchant_id
         and d.payment_demand_id = p.id), ',') as disputes
     from payment_demands p where p.id = any($1::uuid[])`,
    [ids],
  );

const SETTLED = ['succeeded', 'disputed', 'reversed'];
/** States of a dispute by the issuer's decision. */
const statesByEnd = {
  open: 'needs_response',
  won: 'won',
  lost: 'lost',
  second_chargeback: 'lost',
} as const;

/** Whether the hold of a payment is open after a capture. */
const isPartlyCaptured = ({ status, amount_captured_cents }: Row): boolean =>
  status === 'authorised' && Number(amount_captured_cents) > 0;

/** Compares a payment with the stand-in's books. Returns texts that name each difference. */
export async function differencesOf(
  books: StandInBooks,
  payment: Row,
  result: ScenarioResult | undefined,
): Promise<string[]> {
  const attempts = (payment.attempts as string).split(',').filter((id) => id !== '');
  const found = (await Promise.all(attempts.map((id) => books.bookedPaymentsOf(id)))).flat();
  const sum = (name: keyof BookedPayment): number =>
    found.reduce((total, booked) => total + booked[name], 0);
  const stored = [Number(payment.amount_captured_cents), Number(payment.amount_refunded_cents)];
  const moved = [sum('captured'), sum('refunded')];
  // A payment that was captured and then given back by a reversal charges nothing.
  const isEqual =
    SETTLED.includes(payment.status as string) || isPartlyCaptured(payment)
      ? String(moved) === String(stored)
      : sum('captured') === sum('refunded');
  const isHeld = payment.status === 'authorised' && !isPartlyCaptured(payment);
  const dispute = result?.dispute && statesByEnd[result.dispute];
  const facts = JSON.stringify({ payment, found, result });
  return [
    ...(isEqual ? [] : [`moved ${moved}, stored ${stored}: ${facts}`]),
    ...(sum('held') > 0 === isHeld ? [] : [`held ${sum('held')}: ${facts}`]),
    ...(dispute === undefined || dispute === payment.disputes ? [] : [`dispute: ${facts}`]),
    ...(found.length > attempts.length ? [`more payments than attempts: ${facts}`] : []),
  ];
}

/** Counts of what the runs of a database went through, for people who read their output. */
export const summaryOf = (db: Database): Promise<Row[]> =>
  db.query(
    `select 'attempts' as records, operation || ' ' || status as what, count(*) as count,
       count(*) filter (where unknown_since is not null) as were_unknown from attempts group by 2
     union all select 'payments', status, count(*), null from payment_demands group by 2
     union all select 'disputes', status, count(*), null from disputes group by 2
     union all select 'notifications', status, count(*), null from processor_notifications group by 2
     union all select 'operator', details::json ->> 'outcome', count(*), null from oversight_entries
       where kind = 'close_outcome' group by 2
     order by 1, 2`,
    [],
  );
