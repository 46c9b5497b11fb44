import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyOf, type RowKey } from '../../../platform/database/row-key.ts';
import { BATCH_MAX, batchesOf } from './batches.ts';
import { merchantsOf } from './merchants.ts';

/** Age of payments that a payer may have continued after the restored time. */
const CONTINUED_DAYS = 8;

/**
 * Batches of payments that may have been sent after the restored time. Due ones, failing charges of subscriptions, and
 * recent ones that a payer could continue.
 */
export async function* paymentsToAsk(db: Db, restored_to: string): AsyncGenerator<RowKey[]> {
  for await (const rows of duePayments(db)) yield rows.map(keyOf);
  for await (const rows of failingCharges(db)) yield rows.map(keyOf);
  for await (const merchants of merchantsOf(db))
    for (const { id } of merchants)
      for await (const rows of continuedPayments(db, id as string, restored_to))
        yield rows.map(keyOf);
}

const duePayments = (db: Db): AsyncGenerator<Row[]> =>
  batchesOf((after) =>
    db.query(
      `select merchant_id, id from payment_demands
       where due_at is not null and status = 'pending' and id > $1 order by id limit ${BATCH_MAX}`,
      [after],
      'restore_due_payments',
    ),
  );

const failingCharges = (db: Db): AsyncGenerator<Row[]> =>
  batchesOf(
    (after) =>
      db.query(
        `select p.merchant_id, p.id, s.id as subscription_id from payment_subscriptions s
         join payment_demands p on p.merchant_id = s.merchant_id and p.id = s.past_due_charge_id
         where s.past_due_since is not null and p.status = 'failed' and s.id > $1
         order by s.id limit ${BATCH_MAX}`,
        [after],
        'restore_failing_charges',
      ),
    'subscription_id',
  );

const continuedPayments = (db: Db, merchant_id: string, restored_to: string) =>
  batchesOf((after) =>
    db.query(
      `select merchant_id, id from payment_demands
       where merchant_id = $1 and mode in ('live', 'sandbox') and status in ('incomplete', 'ready', 'failed')
         and created_at > $2::timestamptz - interval '${CONTINUED_DAYS} days' and id > $3
       order by id limit ${BATCH_MAX}`,
      [merchant_id, restored_to, after],
      'restore_continued_payments',
    ),
  );
