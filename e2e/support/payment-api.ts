import type { Stack } from '@florin/dev-env/stack.ts';

/** A record of the interface with its relationships. */
export interface RecordReference {
  readonly id: string;
  readonly type: string;
}

interface Resource extends RecordReference {
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Attributes, customer and card of a payment. */
export interface Purchase {
  readonly amount_cents: number;
  /** Name of a test card without `pan_test_`. */
  readonly card?: string;
  readonly email?: string;
  readonly [attribute: string]: unknown;
}

/** Creates sandbox payments without a browser. */
export interface PaymentApi {
  /** Creates a payment and waits for its outcome. Returns the payment's id. */
  pay(purchase: Purchase): Promise<string>;
  /** Creates a payment, and does not wait. Returns the payment's id. */
  start(purchase: Purchase): Promise<string>;
  /** Creates a monthly subscription and waits for its first charge. Returns the subscription's id. */
  subscribe(purchase: Purchase): Promise<string>;
  /** Returns the number of records on the first page. */
  count(type: string, filters: Readonly<Record<string, string>>): Promise<number>;
  list(type: string, filters: Readonly<Record<string, string>>): Promise<readonly Resource[]>;
  make(
    type: string,
    attributes: object,
    relations?: Readonly<Record<string, RecordReference>>,
  ): Promise<Resource>;
  change(record: RecordReference, attributes: object): Promise<Resource>;
  /** Runs an action, such as `block` of a customer. */
  act(record: RecordReference, action: string): Promise<Resource>;
}

const ATTEMPTS_MAX = 200;
const WAIT_MS = 100;

/** A stack's interface, with the demo merchant's sandbox key or another key. */
export interface ApiAccess extends Pick<Stack, 'baseUrl'> {
  readonly credentials: { readonly sandbox: { readonly secret_key: string } };
}

export function paymentApi({ baseUrl, credentials }: ApiAccess): PaymentApi {
  async function call<Data>(method: string, path: string, data?: object): Promise<Data> {
    const response = await fetch(`${baseUrl}/v2/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${credentials.sandbox.secret_key}`,
        'user-agent': 'e2e/1',
        'content-type': 'application/vnd.api+json',
      },
      ...(data && { body: JSON.stringify({ data }) }),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: Data }).data;
  }
  const make: PaymentApi['make'] = (type, attributes, relations = {}) => {
    const linkEntries = Object.entries(relations).map(([name, { id, type: to }]) => [
      name,
      { data: { type: to, id } },
    ]);
    return call('POST', type, { type, attributes, relationships: Object.fromEntries(linkEntries) });
  };
  const list: PaymentApi['list'] = (type, filters) =>
    call('GET', `${type}?${new URLSearchParams(filters)}`);
  async function waitUntilSettled(type: string, id: string): Promise<string> {
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
      const { attributes } = await call<Resource>('GET', `${type}/${id}`);
      if (!['pending', 'processing'].includes(String(attributes.status))) return id;
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
    throw new Error(`${type} ${id} has no outcome`);
  }
  async function createPurchase(type: string, { card = 'visa', email, ...attributes }: Purchase) {
    const payer = await make('customers', { email: email ?? 'ada@example.com', name: 'Ada' });
    const billing_address = await make('consumer_addresses', ADDRESS, { customer: payer });
    const methodAttributes = { ...CARD, card_pan_token: `pan_test_${card}` };
    const payment_method = await make('payment_methods', methodAttributes, { customer: payer });
    const parties = { payer, billing_address, payment_method };
    return (await make(type, { ...PURCHASE, ...attributes }, parties)).id;
  }
  return {
    make,
    change: ({ type, id }, attributes) => call('PATCH', `${type}/${id}`, { type, id, attributes }),
    act: ({ type, id }, action) => call('PATCH', `${type}/${id}/${action}`),
    list,
    start: (purchase) => createPurchase('payment_demands', purchase),
    pay: async (purchase) =>
      waitUntilSettled('payment_demands', await createPurchase('payment_demands', purchase)),
    async subscribe(purchase) {
      const idempotency_key = crypto.randomUUID();
      const { amount_cents } = purchase;
      const line_items = [{ name: 'Roses', quantity: 1, amount_cents, amount_currency: 'USD' }];
      const plan = { ...PLAN, idempotency_key, line_items };
      const id = await createPurchase('payment_subscriptions', { ...plan, ...purchase });
      const [firstCharge] = await list('payment_demands', { 'filter[payment_subscription]': id });
      if (firstCharge) await waitUntilSettled('payment_demands', firstCharge.id);
      return id;
    },
    count: async (type, filters) => (await list(type, filters)).length,
  };
}

const PURCHASE = {
  amount_currency: 'USD',
  purchase_reference: 'order-1',
  purchase_kind: 'order',
  confirmed: true,
};

const PLAN = { slug: 'a_rose_a_month', billing_period: 'one_month' };
const CARD = { card_cvv_token: 'cvv_test', expiry_month: 12, expiry_year: 2031 };

const ADDRESS = {
  line_1: '1 Main Street',
  city: 'New York',
  state: 'NY',
  zip: '10001',
  country: 'USA',
};
