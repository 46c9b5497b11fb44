import type { Fixtures } from '../../packages/server/tests/support/merchants.ts';

/** Stores sandbox customers of the merchant, sorted by email address. */
export async function storeCustomers(
  { db, getDemoMerchant }: Fixtures,
  count: number,
): Promise<void> {
  await db.query(
    `insert into customers (merchant_id, mode, id, email, name, created_at, updated_at)
     select $2::uuid, 'sandbox', uuid7(now()),
       'row-' || lpad(n::text, 6, '0') || '@example.com', 'Row ' || n, now(), now()
     from generate_series(1, $1::int) n`,
    [String(count), (await getDemoMerchant()).id],
  );
}
