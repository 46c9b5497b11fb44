import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyText } from '../../../platform/database/row-key.ts';

const COLUMNS = ['merchant_id', 'mode', 'id', 'payer_id', 'billing_address_id'] as const;

/**
 * Customer and billing address of each payment, by the payment's key. `offset 0` forces one index lookup per row: a
 * planner without statistics would read all of a merchant's customers.
 */
export async function findPayerRows(
  tx: Db,
  payments: readonly Row[],
): Promise<ReadonlyMap<string, Row>> {
  if (payments.length === 0) return new Map();
  const rows = await tx.query(
    `select p.merchant_id, p.id, c.name, c.email, b.line_1, b.line_2, b.city, b.state, b.zip, b.country
     from unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::uuid[])
         as p (merchant_id, mode, id, payer_id, billing_address_id)
       left join lateral (select name, email from customers
         where merchant_id = p.merchant_id and mode = p.mode and id = p.payer_id offset 0) c on true
       left join lateral (select line_1, line_2, city, state, zip, country from consumer_addresses
         where merchant_id = p.merchant_id and mode = p.mode and id = p.billing_address_id offset 0) b on true`,
    COLUMNS.map((column) => payments.map((payment) => payment[column] ?? null)),
    'payer_rows',
  );
  return new Map(rows.map((row) => [keyText(row), row]));
}
