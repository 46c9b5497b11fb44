import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** Map key of a card and its payer. */
export const firstApprovalKey = ({ merchant_id, payment_method_id, payer_id }: Row): string =>
  `${merchant_id} ${payment_method_id} ${payer_id}`;

/**
 * Network transaction id of the first approved payment by the same payer with the same card, by
 * `firstApprovalKey` of the given payments. Merchant-initiated charges refer to this id. Customers who were merged are
 * one payer, also while a merge still moves their payments.
 */
export async function findFirstApprovals(
  db: Db,
  payments: readonly Row[],
): Promise<ReadonlyMap<string, string>> {
  if (payments.length === 0) return new Map();
  const keys = ['merchant_id', 'payment_method_id', 'payer_id'].map((column) =>
    payments.map(({ [column]: id }) => id),
  );
  const rows = await db.query(
    // One lookup per card: for a new table without statistics, the planner chooses a slow plan for
    // a join.
    `select k.merchant_id, k.payment_method_id, k.payer_id, first.network_transaction_id
     from (select distinct * from unnest($1::uuid[], $2::uuid[], $3::uuid[])
       as k (merchant_id, payment_method_id, payer_id)) k
     cross join lateral (select coalesce((select c.merged_into_id from customers c
       where c.merchant_id = k.merchant_id and c.id = k.payer_id), k.payer_id) as id offset 0) survivor
     cross join lateral (select survivor.id || array(select c.id from customers c
       where c.merchant_id = k.merchant_id and c.merged_into_id = survivor.id) as ids offset 0) payers
     cross join lateral (
       select a.network_transaction_id from payment_demands p
         join attempts a on a.merchant_id = p.merchant_id and a.payment_demand_id = p.id
       where p.merchant_id = k.merchant_id and p.payment_method_id = k.payment_method_id
         and p.payer_id = any (payers.ids) and p.initiator = 'customer' and a.operation = 'authorise'
         and a.status = 'approved' and a.network_transaction_id is not null
       order by a.created_at limit 1) first`,
    keys,
    'originals',
  );
  return new Map(rows.map((row) => [firstApprovalKey(row), row.network_transaction_id as string]));
}
