import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type SandboxCard, sandboxCardByToken } from '@florin/contract/card/sandbox-cards.ts';
import { openDatabase } from '@florin/vault/store/db.ts';
import { openVaultKeys } from './rewrap.ts';
import type { Testbed } from './testbed.ts';
import { storeCards } from './vault-cards.ts';

/** Customers of a shop, each with an address and a stored card of its own. */
const PAYERS = 10_000;
/** Test token of a number that the simulated network approves. */
const APPROVED_TOKEN = 'pan_test_visa';
const FINGERPRINT_BYTES = 32;

/** Ids of a customer, of an address, and of a payment method with a card in the vault. */
export interface Payer {
  readonly customer: string;
  readonly address: string;
  readonly method: string;
}

/** Creates one payer over the interface. */
export async function createPayer(testbed: Testbed): Promise<Payer> {
  const [customer, address, method] = await Promise.all([
    testbed.post('customers', { email: 'bench@example.com', name: 'Bench' }),
    testbed.post('consumer_addresses', {
      line_1: '1 Main Street',
      city: 'New York',
      state: 'NY',
      zip: '10001',
      country: 'USA',
    }),
    testbed.post('payment_methods', {
      card_pan_token: APPROVED_TOKEN,
      expiry_month: 12,
      expiry_year: 2031,
    }),
  ]);
  return { customer: customer.id, address: address.id, method: method.id };
}

const stored = new WeakMap<Testbed, Promise<readonly Payer[]>>();

/** Ten thousand payers with a card each, which are stored on first use. */
export function payersOf(testbed: Testbed): Promise<readonly Payer[]> {
  const payers = stored.get(testbed) ?? storePayers(testbed);
  stored.set(testbed, payers);
  return payers;
}

/** Stores copies of a payer that the product made. Each card is sealed with the vault's keys, as the vault does. */
async function storePayers(testbed: Testbed): Promise<readonly Payer[]> {
  const template = await createPayer(testbed);
  const tokens = await sealCards(testbed);
  const fingerprints = tokens.map(() => randomBytes(FINGERPRINT_BYTES).toString('base64url'));
  const payers = await testbed.query<Payer & { readonly [column: string]: string }>(copySql, [
    template.customer,
    template.address,
    template.method,
    tokens,
    fingerprints,
  ]);
  await testbed.query('vacuum analyze customers, consumer_addresses, payment_methods, vault.cards');
  return payers;
}

async function sealCards(testbed: Testbed): Promise<string[]> {
  await using db = await openDatabase(testbed.databaseUrl, () => {});
  const keys = await openVaultKeys(db, join(testbed.florin.dataDir, 'vault'));
  const scope = { merchant_id: await testbed.merchantId(), mode: 'sandbox' } as const;
  return await storeCards({ db, keks: keys.keks }, scope, {
    count: PAYERS,
    number: (sandboxCardByToken(APPROVED_TOKEN) as SandboxCard).number,
  });
}

/** Copies each record with all its columns, except for those that make it another's. */
const copySql = `
  with payers as materialized (
    select n, token, fingerprint, uuid7(now()) as customer, uuid7(now()) as address, uuid7(now()) as method
    from unnest($4::text[], $5::text[]) with ordinality as card (token, fingerprint, n)),
  templates as materialized (
    select
      (select customers from customers where id = $1) as customer_record,
      (select consumer_addresses from consumer_addresses where id = $2) as address_record,
      (select payment_methods from payment_methods where id = $3) as method_record),
  copied_customers as (
    insert into customers
    select copy.* from templates, payers, jsonb_populate_record(customer_record, jsonb_build_object(
      'id', customer, 'email', 'payer-' || n || '@example.com')) copy),
  copied_addresses as (
    insert into consumer_addresses
    select copy.* from templates, payers,
      jsonb_populate_record(address_record, jsonb_build_object('id', address)) copy),
  copied_methods as (
    insert into payment_methods
    select copy.* from templates, payers, jsonb_populate_record(method_record, jsonb_build_object(
      'id', method, 'customer_id', customer, 'card_pan_token', token, 'card_fingerprint', fingerprint)) copy)
  select customer, address, method from payers`;
