import type pg from 'pg';

/** Rows per statement. */
const BATCH = 50_000;
/** Customers of the payments, each with one card. */
const CUSTOMERS = 10_000;

/** Stores customers with a card each, for payments of `storePayments`. The cards are not in the vault. */
export async function storeCustomers(client: pg.Client, merchant_id: string): Promise<void> {
  await client.query(customersSql, [merchant_id, CUSTOMERS]);
}

interface Range {
  /** Payments that are stored already, and payments afterwards. */
  readonly from: number;
  readonly to: number;
}

/** Stores payments in all states by SQL, one second apart, newest first. Calls `onBatch` with the number stored. */
export async function storePayments(
  client: pg.Client,
  merchant_id: string,
  { from, to }: Range,
  onBatch: (stored: number) => void | Promise<void>,
): Promise<void> {
  for (let stored = from; stored < to; ) {
    const count = Math.min(BATCH, to - stored);
    await client.query(paymentsSql, [merchant_id, stored, count, CUSTOMERS]);
    stored += count;
    await onBatch(stored);
  }
}

/** Ids count up, so that payments can reference customers and cards. Every customer has one card. */
const idOf = (kind: number, number: string): string =>
  `('0193${kind}f00-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

/** Id of a stored payment, by its number from 0. */
export const storedPaymentId = (number: number): string =>
  `01933f00-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

/** SQL of the id of a stored payment, from SQL of its number. */
export const paymentId = (number: string): string => idOf(3, number);

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

/**
 * Number of the customer of a payment. The first ten thousand payments have a hundred customers, so that a customer has
 * more than a page of payments at any size.
 */
const customerSql = '(case when $2 + n < 10000 then n % 100 else n % $4::int end)';

const paymentsSql = `
  insert into payment_demands (merchant_id, mode, id, status, confirmed, amount_cents, amount_currency,
    amount_refunded_cents, fee_cents, description, idempotency_key, capture_method, email_receipt,
    purchase_reference, purchase_kind, line_items, payer_timezone, threeds_version, threeds_status, eci,
    directory_transaction_eid, acs_transaction_eid, cvc2_check, address_line1_verification,
    postal_code_verification, succeeded_at, payer_id, payment_method_id, unsent_count, created_at, updated_at)
  select $1, 'sandbox', ${paymentId('$2 + n')},
    case n % 10 when 0 then 'failed' when 1 then 'incomplete' else 'succeeded' end,
    n % 10 <> 1, 1000 + n % 9000, 'USD', 0, 30, 'An order of the shop', 'key-' || ($2 + n), 'automatic', true,
    'order-' || ($2 + n), 'order',
    '[{"name": "A thing", "quantity": 1, "amount_cents": 1000, "amount_currency": "USD"}]',
    'UTC', '2.2.0', 'Y', '05', '01935f00-0000-7000-8000-0000000000d1', '01935f00-0000-7000-8000-0000000000a1',
    'match', 'match', 'match', t.at, ${idOf(1, customerSql)}, ${idOf(2, customerSql)}, 0, t.at, t.at
  from generate_series(0, $3::int - 1) n,
    lateral (select now() - ($2 + n) * interval '1 second' as at) t`;
