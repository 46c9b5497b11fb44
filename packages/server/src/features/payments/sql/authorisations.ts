import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyColumns, keyText, type RowKey } from '../../../platform/database/row-key.ts';

/**
 * Id, processor and account of each payment's approved attempt, which charged the card or holds the amount. With the
 * references of that attempt and of its capture, and name and status of the account.
 */
export async function authorisationsOf(
  tx: Db,
  payments: readonly RowKey[],
): Promise<ReadonlyMap<string, Row>> {
  const rows = await tx.query(
    `select a.merchant_id, a.payment_demand_id as payment, a.id, a.processor, a.processor_account_id,
       a.processor_reference, p.name as account_name, p.status as account_status,
       (select c.processor_reference from attempts c
         where c.merchant_id = a.merchant_id and c.payment_demand_id = a.payment_demand_id
           and c.operation = 'capture' and c.status = 'approved'
         order by c.id desc limit 1) as capture_reference
     from attempts a
     join unnest($1::uuid[], $2::uuid[]) as k (merchant_id, id)
       on a.merchant_id = k.merchant_id and a.payment_demand_id = k.id
     left join processor_accounts p on p.id = a.processor_account_id
     where a.operation = 'authorise' and a.status = 'approved'`,
    keyColumns(payments),
    'authorisations',
  );
  return new Map(
    rows.map((row) => [
      keyText({ merchant_id: row.merchant_id as string, id: row.payment as string }),
      row,
    ]),
  );
}
