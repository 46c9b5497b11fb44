import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Scope } from '../../../platform/database/scope.ts';

/** More attempts than any payment has; a payment's own limits are lower. */
const HISTORY_MAX = 200;

/** The messages to the network of a payment, oldest first. No number of a card is among them. */
export const attemptsOf = (db: Db, { merchant_id, mode }: Scope, id: string): Promise<Row[]> =>
  db.query(
    `select id, processor, operation, status, amount_cents, amount_currency, approved_cents,
       decline_code, authorisation_code, network_transaction_id, refund_demand_id,
       capture_demand_id, inquiries, unknown_since, created_at, updated_at
     from attempts where merchant_id = $1 and mode = $2 and payment_demand_id = $3
     order by created_at, id limit ${HISTORY_MAX}`,
    [merchant_id, mode, id],
    'attempts_of_payment',
  );

/** The authentications that a payment's form began, oldest first. */
export const authenticationsOf = (
  db: Db,
  { merchant_id, mode }: Scope,
  id: string,
): Promise<Row[]> =>
  db.query(
    `select id, status, threeds_version, threeds_status, eci, failure_code, attached_at, asked_at,
       created_at, updated_at
     from authentications
     where merchant_id = $1 and mode = $2 and payment_id = $3 and payment_table = 'payment_demands'
     order by created_at, id limit ${HISTORY_MAX}`,
    [merchant_id, mode, id],
    'authentications_of_payment',
  );
