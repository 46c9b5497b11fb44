import type { Client, Relations, ResourceObject } from './client.ts';

/** Records with sensible contents; what a test cares about it says itself. */
export const makeCustomer = (client: Client, attributes: object = {}): Promise<ResourceObject> =>
  client.make('customers', { email: 'ada@example.com', name: 'Ada', ...attributes });

export const address = {
  line_1: '1 Main Street',
  city: 'New York',
  state: 'NY',
  zip: '10001',
  country: 'USA',
};

export const makeAddress = (
  client: Client,
  attributes: object = {},
  relations: Relations = {},
): Promise<ResourceObject> =>
  client.make('consumer_addresses', { ...address, ...attributes }, relations);

/** A card by the name of its test token, without `pan_test_`. */
export const makeMethod = (
  client: Client,
  card = 'visa',
  relations: Relations = {},
): Promise<ResourceObject> =>
  client.make(
    'payment_methods',
    {
      card_pan_token: `pan_test_${card}`,
      card_cvv_token: 'cvv_test',
      expiry_month: 12,
      expiry_year: 2031,
    },
    relations,
  );

export const purchase = {
  amount_cents: 2500,
  amount_currency: 'USD',
  purchase_reference: 'order-1',
  purchase_kind: 'order',
};

/** Everything that a confirmed payment points to. */
export async function makeParties(client: Client, card = 'visa'): Promise<Relations> {
  const payer = await makeCustomer(client);
  const [billing_address, payment_method] = await Promise.all([
    makeAddress(client, {}, { customer: payer }),
    makeMethod(client, card, { customer: payer }),
  ]);
  return { payer, billing_address, payment_method };
}

export const makeDemand = (
  client: Client,
  attributes: object = {},
  relations: Relations = {},
): Promise<ResourceObject> =>
  client.make('payment_demands', { ...purchase, ...attributes }, relations);

/** At least one record of every type; returns the payment, settled, so that nothing changes by itself any more. */
export async function makeOneOfEach(client: Client): Promise<ResourceObject> {
  await client.make('webhook_subscriptions', {
    url: 'http://localhost:9/hook',
    events: ['transaction.payment_demands.created'],
  });
  const { id } = await makeDemand(client, { confirmed: true }, await makeParties(client));
  return settled(client, id);
}

const FINAL = new Set(['succeeded', 'failed']);

/** The payment once it has come to an outcome. */
export const settled = (client: Client, id: string): Promise<ResourceObject> =>
  eventually(
    () => client.fetch('payment_demands', id),
    ({ attributes }) => FINAL.has(attributes.status),
  );

const PATIENCE = { patience_ms: 15_000, pause_ms: 15 };

/** Asks until the answer is right; after a while returns the last one for the test to fail on. */
export async function eventually<T>(
  ask: () => Promise<T>,
  right: (answer: T) => boolean,
  { patience_ms, pause_ms } = PATIENCE,
): Promise<T> {
  const end = Date.now() + patience_ms;
  for (;;) {
    const answer = await ask();
    if (right(answer) || Date.now() > end) return answer;
    await new Promise((resolve) => setTimeout(resolve, pause_ms));
  }
}
