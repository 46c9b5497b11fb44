import type { Db } from '../../../platform/database/db.ts';
import { keyColumns, keyText, type RowKey } from '../../../platform/database/row-key.ts';
import { lastNumberOf } from '../attempt-id.ts';

/** Number of the last authorisation of payments, by key; absent: none. */
export async function lastAuthorisations(
  tx: Db,
  payments: readonly RowKey[],
): Promise<ReadonlyMap<string, number>> {
  if (payments.length === 0) return new Map();
  const rows = await tx.query(
    `select k.merchant_id, k.id, json_agg(a.id) as ids
     from unnest($1::uuid[], $2::uuid[]) as k (merchant_id, id)
     join attempts a on a.merchant_id = k.merchant_id and a.payment_demand_id = k.id
       and a.operation = 'authorise'
     group by k.merchant_id, k.id`,
    keyColumns(payments),
    'last_authorisations',
  );
  return new Map(
    rows.map((row) => {
      const ids: readonly string[] = JSON.parse(row.ids as string);
      return [keyText(row), lastNumberOf(row.id as string, ids)];
    }),
  );
}
