import { hashKey, makeKey } from '@florin/server/features/merchants/api-key.ts';
import pg from 'pg';
import { storeCustomers, storePayments } from './bulk.ts';
import { createProgress } from './progress.ts';

/** Rows of the large table. */
const PAYMENTS = 1_000_000;

const MERCHANT = '01935f00-0000-7000-8000-00000000b0b0';

/** A merchant with many payments in all states, one second apart, and a key that reads them. */
export interface ManyPayments {
  readonly headers: Readonly<Record<string, string>>;
  readonly payments: number;
}

/** Stores a million payments of a merchant of their own. Prints its progress. */
export async function storeMillion(databaseUrl: string): Promise<ManyPayments> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const key = makeKey('sandbox', 'secret');
  await client.query(merchantSql, [MERCHANT, hashKey(key)]);
  await storeCustomers(client, MERCHANT);
  const progress = createProgress('storing payments', PAYMENTS);
  await storePayments(client, MERCHANT, { from: 0, to: PAYMENTS }, progress.show);
  progress.end();
  await client.query('vacuum analyze payment_demands, customers, payment_methods');
  await client.end();
  return {
    headers: { authorization: `Bearer ${key}`, 'user-agent': 'florin-bench/1' },
    payments: PAYMENTS,
  };
}

const merchantSql = `
  with merchant as (
    insert into merchants (id, business_name, created_at, updated_at) values ($1, 'Large', now(), now())
    returning id)
  insert into merchant_tokens (merchant_id, mode, id, name, context, token_hash, created_at, updated_at)
  select id, 'sandbox', uuid7(now()), 'bench', 'secret', decode($2, 'hex'), now(), now() from merchant`;
