import { randomUUID } from 'node:crypto';
import type { Random } from '../../faults/random.ts';

/** A record of the interface, as far as the shop needs it. */
interface Resource {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, string>>;
}

type Relations = Readonly<Record<string, Pick<Resource, 'id' | 'type'>>>;

/** A merchant that does what merchants do, at random. Requests that fail are part of a bad day. */
export interface Shop {
  /** Opens an account for a customer with a card, and a subscription. */
  subscribe(): Promise<void>;
  /** One random action: a payment, capture, void, refund, or an order that is paid later. */
  act(): Promise<void>;
  /** Waits until Florin has no due work of the merchant. */
  drain(): Promise<void>;
}

const MEDIA_TYPE = 'application/vnd.api+json';
const CARD = {
  card_pan_token: 'pan_test_visa',
  card_cvv_token: 'cvv_test',
  expiry_month: 12,
  expiry_year: 2041,
};
const ADDRESS = {
  line_1: '1 Main Street',
  city: 'New York',
  state: 'NY',
  zip: '10001',
  country: 'USA',
};
const PRICE = { amount_currency: 'USD', purchase_reference: 'order', purchase_kind: 'order' };
const LINE_ITEMS = [{ name: 'Rose', quantity: 1, amount_cents: 2_500, amount_currency: 'USD' }];
const DRAIN_SECONDS = 30;
const DRAINS_MAX = 4;
const SMALLEST_CENTS = 1_000;

/** Opens a shop with a key of the sandbox. */
export function openShop(base_url: string, key: string, random: Random): Shop {
  const send = createSender(base_url, key);
  const make = createMaker(send);
  const actions = actionsOf(send, make, random);
  return {
    async subscribe() {
      const plan = { ...PRICE, slug: 'a_rose', billing_period: 'one_month', confirmed: true };
      const attributes = { ...plan, amount_cents: 2_500, line_items: LINE_ITEMS };
      await make('payment_subscriptions', attributes, await makeParties(make));
    },
    async act() {
      await random.oneOf(actions)().catch(ignoreOutage);
    },
    drain: () => drain(send),
  };
}

type Send = (method: string, path: string, body?: object) => Promise<unknown>;
type Make = (type: string, attributes: object, relations?: Relations) => Promise<Resource>;

const createMaker =
  (send: Send): Make =>
  async (type, attributes, relations = {}) => {
    const relationships = Object.fromEntries(
      Object.entries(relations).map(([name, { id, type: of }]) => [
        name,
        { data: { id, type: of } },
      ]),
    );
    const { confirmed } = attributes as { readonly confirmed?: boolean };
    const keyed = { ...attributes, ...(confirmed && { idempotency_key: randomUUID() }) };
    const document = { data: { type, attributes: keyed, relationships } };
    return (await send('POST', `/v2/${type}`, document)) as Resource;
  };

async function makeParties(make: Make): Promise<Relations> {
  const payer = await make('customers', { email: 'ada@example.com', name: 'Ada' });
  const billing_address = await make('consumer_addresses', ADDRESS, { customer: payer });
  const payment_method = await make('payment_methods', CARD, { customer: payer });
  return { payer, billing_address, payment_method };
}

function actionsOf(send: Send, make: Make, random: Random): readonly (() => Promise<void>)[] {
  async function pay(attributes: object): Promise<void> {
    const amount_cents = SMALLEST_CENTS + random.upTo(8_000);
    const order = { ...PRICE, amount_cents, ...attributes };
    await make('payment_demands', order, await makeParties(make));
  }

  /** A random payment in a state; undefined if there is none. */
  async function pick(status: string): Promise<Resource | undefined> {
    const path = `/v2/payment_demands?filter[status]=${status}&page[size]=50`;
    const payments = (await send('GET', path)) as Resource[];
    return payments.length > 0 ? random.oneOf(payments) : undefined;
  }

  const partOf = (amount_cents: number) => (random.chance(0.5) ? { amount_cents } : {});
  const act = (payment: Resource, action: string) =>
    send('PATCH', `/v2/payment_demands/${payment.id}/${action}`);

  return [
    () => pay({ confirmed: true }),
    () => pay({ confirmed: true, capture_method: 'manual' }),
    () => pay({}),
    async () => {
      const order = (await pick('ready')) ?? (await pick('incomplete'));
      if (order) await act(order, 'confirm');
    },
    async () => {
      const payment_demand = await pick('authorised');
      const part = partOf(SMALLEST_CENTS / 2);
      if (payment_demand) await make('capture_demands', part, { payment_demand });
    },
    async () => {
      const hold = await pick('authorised');
      if (hold) await act(hold, 'cancel');
    },
    async () => {
      const payment_demand = await pick('succeeded');
      const refund = { reason: 'duplicate_charge', ...partOf(SMALLEST_CENTS / 4) };
      if (payment_demand) await make('refund_demands', refund, { payment_demand });
    },
  ];
}

async function drain(send: Send): Promise<void> {
  for (let tries = 1; ; tries++) {
    const error = await send('GET', `/sandbox/drain?timeout=${DRAIN_SECONDS}`).then(
      () => undefined,
      (cause: Error) => cause,
    );
    if (!error) return;
    if (tries === DRAINS_MAX) throw error;
  }
}

/** Requests fail while the database is away, or where a record has moved on. */
function ignoreOutage(error: Error): void {
  if (!(error instanceof RefusedRequest) && !/fetch failed/.test(error.message)) throw error;
}

class RefusedRequest extends Error {
  override name = 'RefusedRequest';
}

function createSender(base_url: string, key: string): Send {
  return async (method, path, body) => {
    const response = await fetch(base_url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, accept: MEDIA_TYPE, 'content-type': MEDIA_TYPE },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new RefusedRequest(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : (JSON.parse(text) as { data: unknown }).data;
  };
}
