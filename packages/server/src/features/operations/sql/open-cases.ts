import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import type { ListPosition } from './merchants.ts';

export interface PageOf {
  readonly limit: number;
  readonly after: ListPosition | undefined;
}

/** Attempts of all merchants without an outcome, oldest first. */
export const listUnknownAttempts = (db: Db, { limit, after }: PageOf): Promise<Row[]> =>
  db.query(
    `select a.merchant_id, a.mode, a.id, a.operation, a.processor, a.status, a.amount_cents,
       a.amount_currency, a.payment_demand_id, a.inquiries, a.due_at, a.processor_account_id,
       a.processor_reference, a.codes, a.approved_cents, a.reversals,
       coalesce(a.unknown_since, a.updated_at) as since, m.business_name
     from attempts a join merchants m on m.id = a.merchant_id
     where a.status in ('unknown', 'reversing')
       and ($2::timestamptz is null
         or (coalesce(a.unknown_since, a.updated_at), a.id) > ($2::timestamptz, $3::uuid))
     order by coalesce(a.unknown_since, a.updated_at), a.id limit $1`,
    [limit, after?.at ?? null, after?.id ?? null],
    'list_unanswered',
  );

/** Makes the inquiry of an attempt due now. Returns false if the outcome is already known. */
export async function inquireNow(
  db: Db,
  { merchant_id, mode, id, at }: Scope & { readonly id: string; readonly at: string },
): Promise<boolean> {
  const rows = await db.query(
    `update attempts set due_at = least(due_at, $4::timestamptz)
     where merchant_id = $1 and mode = $2 and id = $3 and status in ('unknown', 'reversing')
     returning id`,
    [merchant_id, mode, id, at],
    'ask_attempt_now',
  );
  return rows.length > 0;
}

/** Lines of a payment without an outcome in settlement reports, from their exceptions. */
export const findReported = (db: Db, { merchant_id, mode }: Scope, payment: Row): Promise<Row[]> =>
  db.query(
    `select kind, entry, found_cents, amount_currency from settlement_exceptions
     where merchant_id = $1 and mode = $2 and payment_demand_id = $3
       and kind in ('outcome_unknown', 'reversed')`,
    [merchant_id, mode, payment.id as string],
    'reported_amounts',
  );

/**
 * Unexplained differences between settlement files and the ledger, of all merchants, oldest first.
 */
export const listOpenExceptions = (db: Db, { limit, after }: PageOf): Promise<Row[]> =>
  db.query(
    `select e.merchant_id, e.mode, e.id, e.kind, e.entry, e.settled_on, e.processor_reference,
       e.expected_cents, e.found_cents, e.amount_currency, e.payment_demand_id, e.resolution_note,
       e.created_at, m.business_name
     from settlement_exceptions e join merchants m on m.id = e.merchant_id
     where e.status = 'open' and ($2::timestamptz is null
       or (e.created_at, e.id) > ($2::timestamptz, $3::uuid))
     order by e.created_at, e.id limit $1`,
    [limit, after?.at ?? null, after?.id ?? null],
    'list_open_exceptions',
  );
