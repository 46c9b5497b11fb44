import type { Db } from './db.ts';
import { keyText, type RowKey } from './transition.ts';

/**
 * By payment method, the network's id of the first approved payment that its customer was there for: what later charges
 * refer to that are made while the customer is away.
 */
export async function originalsOf(
  db: Db,
  methods: readonly RowKey[],
): Promise<ReadonlyMap<string, string>> {
  if (methods.length === 0) return new Map();
  const rows = await db.query(
    `select distinct on (p.merchant_id, p.payment_method_id) p.merchant_id, p.payment_method_id as id,
       a.network_transaction_id
     from payment_demands p join attempts a on a.merchant_id = p.merchant_id and a.payment_demand_id = p.id
     where (p.merchant_id, p.payment_method_id) in (select * from unnest($1::uuid[], $2::uuid[]))
       and p.initiator = 'customer' and a.operation = 'authorise' and a.status = 'approved'
       and a.network_transaction_id is not null
     order by p.merchant_id, p.payment_method_id, a.created_at`,
    [methods.map(({ merchant_id }) => merchant_id), methods.map(({ id }) => id)],
    'originals',
  );
  return new Map(rows.map((row) => [keyText(row), row.network_transaction_id as string]));
}
