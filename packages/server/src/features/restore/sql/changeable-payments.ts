import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { BATCH_MAX, batchesOf } from './batches.ts';

/** Age of payments that could be refunded after the restored time. Holds of any age count. */
const REFUNDED_DAYS = 180;

/**
 * Batches of approved authorisations at accounts, with state and amounts of their payments. These could be captured,
 * refunded or released after the restored time; of payments in processing, a capture is on its way.
 */
export const changeablePayments = (
  db: Db,
  merchant_id: string,
  restored_to: string,
): AsyncGenerator<Row[]> =>
  batchesOf(
    (after) =>
      db.query(
        `select a.*, p.status as payment_status, p.amount_captured_cents, p.amount_authorised_cents,
           p.status = 'processing' and exists (select 1 from capture_demands c where c.merchant_id = p.merchant_id
             and c.payment_demand_id = p.id and c.status in ('pending', 'processing') and not c.final) as keeps_hold
         from payment_demands p
         join attempts a on a.merchant_id = p.merchant_id and a.payment_demand_id = p.id
           and a.operation = 'authorise' and a.status = 'approved'
         where p.merchant_id = $1 and p.id > $2 and a.processor_account_id is not null
           and (p.status in ('authorised', 'processing') or p.status in ('succeeded', 'disputed') and p.amount_refundable_cents > 0
             and p.created_at > $3::timestamptz - interval '${REFUNDED_DAYS} days')
         order by p.id limit ${BATCH_MAX}`,
        [merchant_id, after, restored_to],
        'restore_changeable_payments',
      ),
    'payment_demand_id',
  );
