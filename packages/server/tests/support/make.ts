import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { expect } from 'vitest';
import type { Client, Relations, ResourceObject } from './client.ts';

/** Creates a customer. Tests override the attributes that matter to them. */
export const makeCustomer = (client: Client, attributes: object = {}): Promise<ResourceObject> =>
  client.make('customers', { email: 'ada@example.com', name: 'Ada', ...attributes });

/** Merges a new customer into another one. */
export const makeMerge = async (client: Client): Promise<ResourceObject> =>
  client.make(
    'customer_merges',
    {},
    { source: await makeCustomer(client), target: await makeCustomer(client) },
  );

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

export const makeLegalAddress = (
  client: Client,
  attributes: object = {},
): Promise<ResourceObject> => client.make('legal_addresses', { ...address, ...attributes });

export const makeIdentification = (
  client: Client,
  attributes: object = {},
  relations: Relations = {},
): Promise<ResourceObject> =>
  client.make('personal_identifications', { full_name: 'Ada Lovelace', ...attributes }, relations);

export const makeOfficial = async (
  client: Client,
  attributes: object = {},
): Promise<ResourceObject> =>
  client.make(
    'corporate_officials',
    { role: 'Treasurer', ...attributes },
    { personal_identification: await makeIdentification(client) },
  );

/** Creates an owner with a small share, so that a test can create many. */
export const makeOwner = async (client: Client, attributes: object = {}): Promise<ResourceObject> =>
  client.make(
    'beneficial_owners',
    { ownership_percentage: 1, ...attributes },
    { personal_identification: await makeIdentification(client) },
  );

/** Invites a new address that no other test uses. */
export const makeInvitation = (client: Client, attributes: object = {}): Promise<ResourceObject> =>
  client.make('memberships', { email: `${randomUUID()}@example.com`, ...attributes });

/** The newest record of a type. */
export const newestOf = async (client: Client, type: string): Promise<ResourceObject> =>
  (await client.get(`/v2/${type}?page[size]=1`)).body.data[0];

/** Creates a payment method. `cardName` is the name of a test token without `pan_test_`. */
export const makeMethod = (
  client: Client,
  cardName = 'visa',
  relations: Relations = {},
): Promise<ResourceObject> => client.make('payment_methods', testCard(cardName), relations);

/** Test token of a card by its name, or a network token by its whole test token. */
export const testCard = (name: string) => ({
  ...(name.startsWith('network_token_')
    ? { card_pan_token: name }
    : { card_pan_token: `pan_test_${name}`, card_cvv_token: 'cvv_test' }),
  expiry_month: 12,
  expiry_year: 2031,
});

export const purchase = {
  amount_cents: 2500,
  amount_currency: 'USD',
  purchase_reference: 'order-1',
  purchase_kind: 'order',
};

/** Creates the records that a payment relates to. */
export async function makeParties(client: Client, cardName = 'visa'): Promise<Relations> {
  const payer = await makeCustomer(client);
  const [billing_address, payment_method] = await Promise.all([
    makeAddress(client, {}, { customer: payer }),
    makeMethod(client, cardName, { customer: payer }),
  ]);
  return { payer, billing_address, payment_method };
}

export const makeDemand = (
  client: Client,
  attributes: object = {},
  relations: Relations = {},
): Promise<ResourceObject> =>
  client.make('payment_demands', { ...purchase, ...attributes }, relations);

/** Creates a payment that lacks only a card. */
export async function makeCardlessPayment(
  client: Client,
  attributes: object = {},
): Promise<ResourceObject> {
  const payer = await makeCustomer(client);
  const billing_address = await makeAddress(client, {}, { customer: payer });
  return makeDemand(client, attributes, { payer, billing_address });
}

/** Creates a captured payment. */
export async function makeCapturedPayment(
  client: Client,
  attributes: object = {},
): Promise<ResourceObject> {
  const parties = await makeParties(client);
  const { id } = await makeDemand(client, { confirmed: true, ...attributes }, parties);
  return waitForOutcome(client, id);
}

/** Creates an authorised payment that is not captured. */
export async function makeAuthorisedPayment(
  client: Client,
  attributes: object = {},
): Promise<ResourceObject> {
  const parties = await makeParties(client);
  const manualAttributes = { confirmed: true, capture_method: 'manual', ...attributes };
  const { id } = await makeDemand(client, manualAttributes, parties);
  return eventually(
    () => client.fetch('payment_demands', id),
    ({ attributes: { status } }) => status === 'authorised' || status === 'failed',
  );
}

export const makeCapture = (
  client: Client,
  payment_demand: ResourceObject,
  attributes: object = {},
): Promise<ResourceObject> => client.make('capture_demands', attributes, { payment_demand });

/** The simulator disputes payments of this amount right after their capture. */
export const DISPUTED_CENTS = 19_708;

/** Creates a payment that is disputed; returns the dispute. */
export const makeDispute = async (client: Client): Promise<ResourceObject> =>
  waitForDispute(client, (await makeCapturedPayment(client, { amount_cents: DISPUTED_CENTS })).id);

/**
 * Waits for the dispute of a payment. A drain of the sandbox reads the network's notifications sooner than the next
 * poll; live keys are refused.
 */
export async function waitForDispute(client: Client, paymentId: string): Promise<ResourceObject> {
  await client.get('/sandbox/drain?timeout=1');
  const [dispute] = await eventually<ResourceObject[]>(
    async () => (await client.get(`/v2/disputes?filter[payment_demand]=${paymentId}`)).body.data,
    ({ length }) => length > 0,
  );
  if (!dispute) throw new Error('the payment was not disputed');
  return dispute;
}

export const makeRefund = (
  client: Client,
  payment_demand: ResourceObject,
  attributes: object = {},
): Promise<ResourceObject> =>
  client.make('refund_demands', { reason: 'duplicate_charge', ...attributes }, { payment_demand });

let entryCount = 0;
/** Returns attributes of a list entry that matches no payment of other tests. */
export const listEntry = () => ({
  list: 'allow',
  kind: 'bin',
  value: String(300_000 + ++entryCount),
});
export const velocityLimit = {
  kind: 'merchant_declines',
  window_seconds: 60,
  max_count: 1_000_000,
};

export const makeListEntry = (
  client: Client,
  attributes: object = {},
  relations: Relations = {},
): Promise<ResourceObject> =>
  client.make('risk_list_entries', { ...listEntry(), ...attributes }, relations);

export const makeVelocityLimit = (
  client: Client,
  attributes: object = {},
): Promise<ResourceObject> => client.make('velocity_limits', { ...velocityLimit, ...attributes });

/** Attributes of a payment link. */
export const paymentLink = { title: 'A dozen roses', amount_cents: 2500, amount_currency: 'USD' };

export const makeLink = (client: Client, attributes: object = {}): Promise<ResourceObject> =>
  client.make('payment_links', { ...paymentLink, ...attributes });

/** Required attributes of a subscription, besides its related records. */
export const recurringPurchase = {
  ...purchase,
  slug: 'a_rose_a_month',
  billing_period: 'one_month',
  line_items: [{ name: 'Rose', quantity: 1, amount_cents: 2500, amount_currency: 'USD' }],
};

export const makeSubscription = (
  client: Client,
  attributes: object = {},
  relations: Relations = {},
): Promise<ResourceObject> =>
  client.make(
    'payment_subscriptions',
    { ...recurringPurchase, ...('confirmed' in attributes && newKey()), ...attributes },
    relations,
  );

/** Returns an idempotency key. Creates that charge immediately require one. */
const newKey = () => ({ idempotency_key: randomUUID() });

/** An instant later than any test, at which nothing becomes due. */
export const FAR_AHEAD = `${new Date().getUTCFullYear() + 5}-01-31T00:00:00.000000Z`;

export const makeActiveSubscription = async (client: Client): Promise<ResourceObject> =>
  makeSubscription(
    client,
    { confirmed: true, billing_cycle_anchor_at: FAR_AHEAD },
    await makeParties(client),
  );

/** Creates a price change of a subscription from the next charge on. */
export const makeChange = (
  client: Client,
  payment_subscription: ResourceObject,
): Promise<ResourceObject> =>
  client.make('subscription_changes', { amount_cents: 4000 }, { payment_subscription });

/** Creates a subscription; returns the period of its successful first charge. */
export async function makePeriod(client: Client): Promise<ResourceObject> {
  const parties = await makeParties(client);
  const { id } = await makeSubscription(client, { confirmed: true }, parties);
  const list = async (path: string) =>
    (await client.get(`${path}?filter[payment_subscription]=${id}`)).body.data;
  const [charge] = await list('/v2/payment_demands');
  await waitForOutcome(client, charge.id);
  return (await list('/v2/subscription_periods'))[0];
}

/** Waits until the emails that a query finds match. Returns them oldest first. */
export const waitForEmails = (
  client: Client,
  query: string,
  isExpected: (emails: ResourceObject[]) => boolean,
): Promise<ResourceObject[]> =>
  eventually<ResourceObject[]>(
    async () => (await client.get(`/v2/emails?${query}&sort=created_at,id`)).body.data,
    isExpected,
  );

const FINAL_STATUSES = new Set(['succeeded', 'failed', 'canceled', 'disputed', 'reversed']);

/** Waits until `count` documents of a kind are issued. Returns them, the latest first. */
export const waitForDocuments = async (
  client: Client,
  kind: string,
  count: number,
): Promise<ResourceObject[]> =>
  eventually(
    async () => (await client.get(`/v2/documents?filter[kind]=${kind}`)).body.data,
    ({ length }: ResourceObject[]) => length >= count,
  );

/** Waits until the payment, or other demand, has an outcome. */
export const waitForOutcome = (
  client: Client,
  id: string,
  type: 'payment_demands' | 'capture_demands' | 'refund_demands' = 'payment_demands',
): Promise<ResourceObject> =>
  eventually(
    () => client.fetch(type, id),
    ({ attributes }) => FINAL_STATUSES.has(attributes.status),
  );

const LONG_TIMEOUT = { max_wait_ms: 120_000, pause_ms: 15 };
/** Polls at growing intervals: polling costs more than most of the work that tests wait for. */
const PAUSE_MAX_MS = 120;
const PAUSE_GROWTH = 1.4;

/**
 * Polls until the result is right, and returns the result. Fails the test after `max_wait_ms`. Counts as an
 * assertion.
 */
export async function eventually<T>(
  request: () => Promise<T>,
  isExpected: (answer: T) => boolean,
  { max_wait_ms, pause_ms } = LONG_TIMEOUT,
): Promise<T> {
  const end = Date.now() + max_wait_ms;
  for (let pause = pause_ms; ; pause = nextPause(pause)) {
    const answer = await request();
    const hasMatched = isExpected(answer);
    if (hasMatched || Date.now() > end) {
      expect(hasMatched, hasMatched ? '' : timeoutMessage(answer, max_wait_ms)).toBe(true);
      return answer;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

const timeoutMessage = (answer: unknown, max_wait_ms: number): string =>
  `After ${max_wait_ms} ms the last answer was ${inspect(answer, { depth: 6 })}`;

const nextPause = (pause_ms: number): number =>
  Math.max(pause_ms, Math.min(pause_ms * PAUSE_GROWTH, PAUSE_MAX_MS));

/** Waits until this number of requests with keys is logged. The server stores them after a short delay. */
export const waitForRequests = (
  client: Client,
  query: string,
  count: number,
): Promise<ResourceObject[]> =>
  eventually(
    async () => (await client.get(`/v2/api_requests?${query}`)).body.data as ResourceObject[],
    ({ length }) => length >= count,
  );

/** The newest logged request. */
export const fetchNewestRequest = async (client: Client, query = ''): Promise<ResourceObject> =>
  (await waitForRequests(client, query, 1))[0] as ResourceObject;
