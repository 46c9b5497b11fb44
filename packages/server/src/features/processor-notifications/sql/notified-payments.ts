import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** References of a fact: our attempt, its own reference at the processor, and that of its authorisation. */
export interface FactReference {
  readonly notification: string;
  readonly account: string;
  readonly attempt: string | null;
  readonly reference: string | null;
  readonly authorisation: string | null;
  /** Amount of the fact in minor units; null: that of the message. */
  readonly amount: number | null;
  readonly currency: string | null;
}

/** The message of each fact that the account has sent, and its payment. Facts without one have no row. */
export const findNotifiedPayments = (
  db: Db,
  references: readonly FactReference[],
): Promise<Row[]> =>
  db.query(
    `select f.notification, a.merchant_id, a.mode, a.payment_demand_id,
       coalesce(f.amount, a.amount_cents) as amount_cents, coalesce(f.currency, a.amount_currency) as amount_currency
     from json_to_recordset($1::json) as f (notification uuid, account uuid, attempt uuid, reference text,
       "authorisation" text, amount bigint, currency text)
     cross join lateral (
       (select * from attempts where id = f.attempt and operation = 'authorise' and processor_account_id = f.account limit 1)
       union all
       (select * from attempts where processor_account_id = f.account and processor_reference = f.reference
         order by id desc limit 1)
       union all
       (select * from attempts where processor_account_id = f.account and processor_reference = f."authorisation"
         order by id desc limit 1)
       limit 1) a`,
    [JSON.stringify(references)],
    'notified_payments',
  );
