import { hashKey, makeKey } from '@florin/server/features/merchants/api-key.ts';
import pg from 'pg';

/** Rows of the large table, and rows per statement. */
const PAYMENTS = 1_000_000;
const CUSTOMERS = 10_000;
const BATCH = 50_000;

const MERCHANT = '01935f00-0000-7000-8000-00000000b0b0';

/** A merchant with a million payments in all states, and a key that reads them. */
export interface MillionPayments {
  readonly headers: Readonly<Record<string, string>>;
}

/** Stores the payments by SQL, one second apart, newest first. Prints its progress. */
export async function storeMillion(databaseUrl: string): Promise<MillionPayments> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const key = makeKey('sandbox', 'secret');
  await client.query(merchantSql, [MERCHANT, hashKey(key)]);
  await client.query(customersSql, [MERCHANT, CUSTOMERS]);
  for (let storedCount = 0; storedCount < PAYMENTS; storedCount += BATCH) {
    process.stderr.write(`\r\x1b[Kstoring payments: ${storedCount} of ${PAYMENTS}`);
    await client.query(paymentsSql, [MERCHANT, storedCount, BATCH, CUSTOMERS]);
  }
  process.stderr.write('\r\x1b[K');
  await client.query('vacuum analyze payment_demands, customers, payment_methods');
  await client.end();
  return {
    headers: { authorization: `Bearer ${key}`, 'user-agent': 'florin-bench/1' },
  };
}

const merchantSql = `
  with merchant as (
    insert into merchants (id, business_name, created_at, updated_at) values ($1, 'Large', now(), now())
    returning id)
  insert into merchant_tokens (merchant_id, mode, id, name, context, token_hash, created_at, updated_at)
  select id, 'sandbox', uuid7(now()), 'bench', 'secret', decode($2, 'hex'), now(), now() from merchant`;

/** Ids count up, so that payments can reference customers and cards. Every customer has one card. */
const idOf = (kind: number, number: string): string =>
  `('0193${kind}f00-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

const customersSql = `
  with people as (
    insert into customers (merchant_id, mode, id, email, name, created_at, updated_at)
    select $1, 'sandbox', ${idOf(1, 'n')}, 'customer-' || n || '@example.com', 'Customer ' || n, now(), now()
    from generate_series(0, $2::int - 1) n)
  insert into payment_methods (merchant_id, mode, id, customer_id, card_pan_token, card_fingerprint, card_bin,
    last_four, kind, external_state, expiry_month, expiry_year, created_at, updated_at)
  select $1, 'sandbox', ${idOf(2, 'n')}, ${idOf(1, 'n')}, 'bench', 'bench', '400551', '0004', 'visa',
    'confirmed', 12, 2031, now(), now()
  from generate_series(0, $2::int - 1) n`;

const paymentsSql = `
  insert into payment_demands (merchant_id, mode, id, status, confirmed, amount_cents, amount_currency,
    amount_refunded_cents, fee_cents, description, idempotency_key, capture_method, email_receipt,
    purchase_reference, purchase_kind, line_items, payer_timezone, threeds_version, threeds_status, eci,
    directory_transaction_eid, acs_transaction_eid, cvc2_check, address_line1_verification,
    postal_code_verification, succeeded_at, payer_id, payment_method_id, unsent_count, created_at, updated_at)
  select $1, 'sandbox', ${idOf(3, '$2 + n')},
    case n % 10 when 0 then 'failed' when 1 then 'incomplete' else 'succeeded' end,
    n % 10 <> 1, 1000 + n % 9000, 'USD', 0, 30, 'An order of the shop', 'key-' || ($2 + n), 'automatic', true,
    'order-' || ($2 + n), 'order',
    '[{"name": "A thing", "quantity": 1, "amount_cents": 1000, "amount_currency": "USD"}]',
    'UTC', '2.2.0', 'Y', '05', '01935f00-0000-7000-8000-0000000000d1', '01935f00-0000-7000-8000-0000000000a1',
    'match', 'match', 'match', t.at, ${idOf(1, '(n % $4::int)')}, ${idOf(2, '(n % $4::int)')}, 0, t.at, t.at
  from generate_series(0, $3::int - 1) n,
    lateral (select now() - ($2 + n) * interval '1 second' as at) t`;
