import type { Db } from '../../../platform/database/db.ts';
import { OPEN_ATTEMPTS } from '../../records/sql/open-attempts.ts';

/** Payments that still need an account. Each count has a limit. */
export interface Obligations {
  /** Messages whose outcome is open. */
  readonly open_outcomes: number;
  /** Payments whose amount is on hold. */
  readonly holds: number;
  /** Captures and refunds that are not sent yet. */
  readonly pending_follow_ups: number;
  /** Payments that can be refunded or are disputed. */
  readonly refundable: number;
  /** Disputes without a decision. */
  readonly open_disputes: number;
}

/** Approved authorisations of the account `$1`, joined to rows with the columns of `payment`. */
const authorisationOf = (payment: string): string =>
  `join attempts a on a.merchant_id = ${payment} and a.operation = 'authorise' and a.status = 'approved'
     and a.processor_account_id = $1`;

/** Payments on hold are due when the hold expires, and pending demands when they are sent: both have small indexes. */
const HOLDS = `select 1 from payment_demands p ${authorisationOf('p.merchant_id and a.payment_demand_id = p.id')}
  where p.due_at is not null and p.status = 'authorised'`;

const pending = (table: string): string =>
  `select 1 from ${table} d ${authorisationOf('d.merchant_id and a.payment_demand_id = d.payment_demand_id')}
   where d.due_at is not null and d.status = 'pending'`;

const REFUNDABLE = `select 1 from attempts a
  join payment_demands p on p.merchant_id = a.merchant_id and p.id = a.payment_demand_id
  where a.processor_account_id = $1 and a.operation = 'authorise' and a.status = 'approved'
    and (p.status = 'disputed' or p.status = 'succeeded' and p.amount_refundable_cents > 0)`;

const OPEN = `select 1 from ${OPEN_ATTEMPTS} open where processor_account_id = $1`;

const OPEN_DISPUTES = `select 1 from disputes
  where processor_account_id = $1 and status not in ('won', 'lost')`;

const countOf = (rows: string): string => `(select count(*) from (${rows} limit $2) counted)`;

/** Counts payments that still need an account, each up to `up_to`. */
export async function readObligations(db: Db, id: string, up_to: number): Promise<Obligations> {
  const [row = {}] = await db.query(
    `select ${countOf(OPEN)} as open_outcomes, ${countOf(HOLDS)} as holds,
       ${countOf(`${pending('capture_demands')} union all ${pending('refund_demands')}`)} as pending_follow_ups,
       ${countOf(REFUNDABLE)} as refundable, ${countOf(OPEN_DISPUTES)} as open_disputes`,
    [id, up_to],
    'obligations_of_processor_account',
  );
  return {
    open_outcomes: Number(row.open_outcomes),
    holds: Number(row.holds),
    pending_follow_ups: Number(row.pending_follow_ups),
    refundable: Number(row.refundable),
    open_disputes: Number(row.open_disputes),
  };
}
