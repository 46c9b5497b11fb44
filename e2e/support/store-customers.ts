import type { Stack } from '@florin/dev-env/stack.ts';
import { openDatabase } from '@florin/server/platform/database/db.ts';

/** Stores customers of the demo merchant, sorted by email address. */
export async function storeCustomers(
  { databaseUrl }: Pick<Stack, 'databaseUrl'>,
  count: number,
): Promise<void> {
  await using db = openDatabase({ url: databaseUrl, connections_max: 1 });
  await db.query(
    `insert into customers (merchant_id, mode, id, email, name, created_at, updated_at)
     select (select merchant_id from payment_demands limit 1), 'sandbox', uuid7(now()),
       'row-' || lpad(n::text, 6, '0') || '@example.com', 'Row ' || n, now(), now()
     from generate_series(1, $1::int) n`,
    [String(count)],
  );
}
