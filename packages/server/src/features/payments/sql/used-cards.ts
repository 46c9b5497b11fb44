import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyText } from '../../../platform/database/row-key.ts';

/**
 * Keys of payments whose card had an approval or decline before their first reversed message. Such a
 * message had no verification value: an earlier payment had used it.
 */
export async function usedCardsAmong(
  tx: Db,
  payments: readonly Row[],
): Promise<ReadonlySet<string>> {
  if (payments.length === 0) return new Set();
  const keys = ['merchant_id', 'id', 'payment_method_id'].map((column) =>
    payments.map(({ [column]: id }) => id),
  );
  const rows = await tx.query(
    `select k.merchant_id, k.id
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as k (merchant_id, id, payment_method_id)
     where exists (
       select from payment_demands p
         join attempts a on a.merchant_id = p.merchant_id and a.payment_demand_id = p.id
       where p.merchant_id = k.merchant_id and p.payment_method_id = k.payment_method_id
         and a.operation = 'authorise' and a.status in ('approved', 'declined')
         and a.created_at < (
           select min(own.created_at) from attempts own where own.merchant_id = k.merchant_id
             and own.payment_demand_id = k.id and own.status = 'reversed'))`,
    keys,
    'spent_cards',
  );
  return new Set(rows.map(keyText));
}
