import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** Maximum payments of a payment method that one lookup compares. With more, attempts are read in their order. */
const PAYMENTS_READ_MAX = 1_000;
/** Maximum attempts of a payer that one lookup reads, oldest first. */
const ATTEMPTS_READ_MAX = 10_000;

/** Map key of a card and its payer. */
export const firstApprovalKey = ({ merchant_id, payment_method_id, payer_id }: Row): string =>
  `${merchant_id} ${payment_method_id} ${payer_id}`;

/**
 * Network transaction id of the first approved payment by the same payer with the same card, by
 * `firstApprovalKey` of the given payments. Merchant-initiated charges refer to this id. Customers who were merged are
 * one payer, also while a merge still moves their payments. The time of a lookup does not grow with the number of payments.
 */
export async function findFirstApprovals(
  db: Db,
  payments: readonly Row[],
  payments_max: number = PAYMENTS_READ_MAX,
): Promise<ReadonlyMap<string, string>> {
  if (payments.length === 0) return new Map();
  const keys = ['merchant_id', 'payment_method_id', 'payer_id'].map((column) =>
    payments.map(({ [column]: id }) => id),
  );
  const rows = await db.query(
    // One lookup per card: for a new table without statistics, the planner chooses a slow plan for
    // a join. Attempts from before version 14 of the schema have no payer, so payments are read first.
    `select k.merchant_id, k.payment_method_id, k.payer_id, first.network_transaction_id
     from (select distinct * from unnest($1::uuid[], $2::uuid[], $3::uuid[])
       as k (merchant_id, payment_method_id, payer_id)) k
     cross join lateral (select coalesce((select c.merged_into_id from customers c
       where c.merchant_id = k.merchant_id and c.id = k.payer_id), k.payer_id) as id offset 0) survivor
     cross join lateral (select survivor.id || array(select c.id from customers c
       where c.merchant_id = k.merchant_id and c.merged_into_id = survivor.id) as ids offset 0) payers
     cross join lateral (
       select count(*) > $4::int as is_partial,
         (array_agg(a.network_transaction_id order by a.created_at)
           filter (where a.network_transaction_id is not null))[1] as found
       from (select id, payer_id, initiator from payment_demands
           where merchant_id = k.merchant_id and payment_method_id = k.payment_method_id limit $4::int + 1) p
         left join lateral (select network_transaction_id, created_at from attempts
           where merchant_id = k.merchant_id and payment_demand_id = p.id and p.initiator = 'customer'
             and p.payer_id = any (payers.ids) and operation = 'authorise' and status = 'approved' limit 1) a on true
     ) compared
     cross join lateral (select case when compared.is_partial then coalesce((
       select oldest.network_transaction_id from unnest(payers.ids) payer (id)
         cross join lateral (select a.network_transaction_id, a.created_at
           from (select * from attempts where merchant_id = k.merchant_id and payer_id = payer.id
             order by created_at limit $5::int) a
           where a.operation = 'authorise' and a.status = 'approved' and a.network_transaction_id is not null
             and exists (select from payment_demands p
               where p.merchant_id = k.merchant_id and p.id = a.payment_demand_id
                 and p.payment_method_id = k.payment_method_id and p.payer_id = any (payers.ids)
                 and p.initiator = 'customer' offset 0)
           limit 1) oldest
       order by oldest.created_at limit 1), compared.found) else compared.found end as network_transaction_id) first
     where first.network_transaction_id is not null`,
    [...keys, payments_max, ATTEMPTS_READ_MAX],
    'originals',
  );
  return new Map(rows.map((row) => [firstApprovalKey(row), row.network_transaction_id as string]));
}
