import { type ClonedDatabase, cloneDatabase } from '@florin/dev-env/databases.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';

export const MERCHANT_COUNT = 3;
/** Rows of each busy table, over all merchants. */
export const ROW_COUNT = 15_000;
const PARTY_COUNT = ROW_COUNT / 5;

const LOAD_LIMIT_MS = 60_000;

/** Id of a row by kind and number: readable, and the same in every run. */
export const idOf = (
  kind: 'merchant' | 'customer' | 'method' | 'payment',
  number: number,
): string => `${idPrefixes[kind]}-0000-7000-8000-${String(number).padStart(12, '0')}`;

const idPrefixes = {
  merchant: '0000000a',
  customer: '0000000b',
  method: '0000000c',
  payment: '0000000d',
  event: '0000000e',
  delivery: '0000000f',
} as const;

/** The same ids in SQL, for a number `n`. */
const idSql = (kind: keyof typeof idPrefixes, n = 'n'): string =>
  `('${idPrefixes[kind]}-0000-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;
const merchantSql = idSql('merchant', `n % ${MERCHANT_COUNT}`);
const createdAtSql = `timestamptz '2026-01-01' + n * interval '1 second'`;
/** Number of a party that belongs to the merchant of row `n`. */
const partyNumberSql = `n % ${PARTY_COUNT - (PARTY_COUNT % MERCHANT_COUNT)}`;
const seriesSql = (count: number): string => `from generate_series(0, ${count - 1}) n`;

const statements = [
  `insert into customers (merchant_id, mode, id, email, name, description, created_at, updated_at)
   select ${merchantSql}, 'sandbox', ${idSql('customer')}, 'c' || n || '@x.example', 'C' || n, 'Customer ' || n, ${createdAtSql}, ${createdAtSql} ${seriesSql(PARTY_COUNT)}`,
  `insert into consumer_addresses (merchant_id, mode, id, customer_id, line_1, city, state, zip, country, created_at, updated_at)
   select ${merchantSql}, 'sandbox', ${idSql('customer')}, ${idSql('customer')}, '1 Main Street', 'City ' || n % 100, 'NY', '10001', 'USA', ${createdAtSql}, ${createdAtSql} ${seriesSql(PARTY_COUNT)}`,
  `insert into payment_methods (merchant_id, mode, id, customer_id, card_pan_token, card_fingerprint, card_bin, last_four, kind,
     external_state, expiry_month, expiry_year, created_at, updated_at)
   select ${merchantSql}, 'sandbox', ${idSql('method')}, ${idSql('customer')}, 'pan_' || n, n::text, '411111', lpad((n % 100)::text, 4, '0'), 'visa',
     'confirmed', 1 + n % 6, 2030, ${createdAtSql}, ${createdAtSql} ${seriesSql(PARTY_COUNT)}`,
  `insert into payment_demands (merchant_id, mode, id, status, confirmed, amount_cents, amount_currency, amount_refunded_cents,
     fee_cents, description, capture_method, email_receipt, cvc2_check, address_line1_verification, postal_code_verification, succeeded_at,
     payer_id, payment_method_id, unsent_count, created_at, updated_at)
   select ${merchantSql}, 'sandbox', ${idSql('payment')}, case when n % 10 = 0 then 'failed' else 'succeeded' end, true, 100 + n, 'USD', 0,
     0, 'Order ' || n, 'automatic', true, 'match', 'match', 'match', case when n % 10 = 0 then null else ${createdAtSql} end,
     ${idSql('customer', partyNumberSql)}, ${idSql('method', partyNumberSql)}, 0, ${createdAtSql}, ${createdAtSql} ${seriesSql(ROW_COUNT)}`,
  `insert into events (merchant_id, mode, id, resource_type, resource_id, sequence, slug, data, created_at)
   select ${merchantSql}, 'sandbox', ${idSql('event')}, 'transaction.payment_demands', ${idSql('payment')}, 1, 'created', '{}', ${createdAtSql} ${seriesSql(ROW_COUNT)}`,
  `insert into merchants (id, created_at, updated_at) select ${merchantSql}, now(), now() ${seriesSql(MERCHANT_COUNT)}`,
  `insert into webhook_subscriptions (merchant_id, mode, id, url, events, concurrency_limit, status, secret_key, created_at, updated_at)
   select ${merchantSql}, 'sandbox', ${merchantSql}, 'https://x.example', '["*"]', 1, 'active', 's', now(), now() ${seriesSql(MERCHANT_COUNT)}`,
  `insert into webhook_deliveries (merchant_id, mode, id, event_id, webhook_subscription_id, status, created_at, updated_at)
   select ${merchantSql}, 'sandbox', ${idSql('delivery')}, ${idSql('event')}, ${merchantSql}, 'delivered', ${createdAtSql}, ${createdAtSql} ${seriesSql(ROW_COUNT)}`,
  'analyze',
];

/** A database with many rows of several merchants, in which every possible value of a type occurs. */
export async function openManyRows(): Promise<Database & { readonly clone: ClonedDatabase }> {
  const clone = await cloneDatabase();
  const options = { connections_max: 1, statement_timeout_ms: LOAD_LIMIT_MS };
  {
    await using admin = openDatabase({ ...options, url: clone.adminUrl });
    // Checks of foreign keys take most of the time.
    await admin.query('set session_replication_role = replica', []);
    for (const statement of statements) await admin.query(statement, []);
  }
  const db = openDatabase({ ...options, url: clone.url });
  return {
    ...db,
    clone,
    async [Symbol.asyncDispose]() {
      await db[Symbol.asyncDispose]();
      await clone[Symbol.asyncDispose]();
    },
  };
}
