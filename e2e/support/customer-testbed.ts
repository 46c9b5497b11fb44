import { randomUUID } from 'node:crypto';
import { type Stack, startStack } from '@florin/dev-env/stack.ts';

export interface Resource {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<
    Record<string, { readonly data?: { readonly id: string } | null }>
  >;
  readonly meta?: { readonly customer_url?: string };
}

/** A complete Florin, and a merchant with subscriptions. */
export interface CustomerTestbed extends AsyncDisposable {
  readonly stack: Stack;
  /** Creates a confirmed subscription with a test card, and waits for the outcome of its first charge. */
  subscribe(attributes?: object, card?: string): Promise<Resource>;
  /** Returns the URL of a subscription's customer page. */
  linkOf(subscription: Resource): Promise<string>;
  allow(rights: readonly string[]): Promise<void>;
  fetch(type: string, id: string): Promise<Resource>;
  /** Returns the charges of a subscription, latest first. */
  chargesOf(subscription: Resource): Promise<readonly Resource[]>;
  refund(charge: Resource, amount_cents: number): Promise<void>;
}

const MEDIA_TYPE = 'application/vnd.api+json';

export async function openCustomerTestbed(): Promise<CustomerTestbed> {
  await using cleanup = new AsyncDisposableStack();
  // Advances ten seconds per request: all tests of a file share one IP address, and would exceed its rate limit.
  let requests = 0;
  const monotonic_ms = () => performance.now() + 10_000 * requests++;
  const stack = cleanup.use(await startStack({ config: { monotonic_ms } }));
  const request = async <Data = Resource>(
    method: string,
    path: string,
    data?: object,
  ): Promise<Data> => {
    const response = await fetch(`${stack.baseUrl}/v2/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${stack.credentials.sandbox.secret_key}`,
        'content-type': MEDIA_TYPE,
        'user-agent': 'e2e/1',
      },
      ...(data && { body: JSON.stringify({ data }) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return ((await response.json()) as { data: Data }).data;
  };
  const make = (type: string, attributes: object, relations: Record<string, Resource> = {}) =>
    request('POST', type, {
      type,
      attributes,
      relationships: Object.fromEntries(
        Object.entries(relations).map(([name, { type, id }]) => [name, { data: { type, id } }]),
      ),
    });
  const chargesOf = ({ id }: Resource): Promise<readonly Resource[]> =>
    request('GET', `payment_demands?filter[payment_subscription]=${id}&sort=-created_at`);
  const disposables = cleanup.move();
  return {
    stack,
    chargesOf,
    async subscribe(attributes = {}, card = 'visa') {
      const payer = await make('customers', { email: 'ada@example.com', name: 'Ada Lovelace' });
      const [billing_address, payment_method] = await Promise.all([
        make('consumer_addresses', ADDRESS, { customer: payer }),
        make('payment_methods', { ...CARD, card_pan_token: `pan_test_${card}` }),
      ]);
      const plan = { ...PLAN, idempotency_key: randomUUID(), ...attributes };
      const parties = { payer, billing_address, payment_method };
      const { id } = await make('payment_subscriptions', plan, parties);
      return {
        ...(await waitUntilSettled(() => request('GET', `payment_subscriptions/${id}`), chargesOf)),
      };
    },
    async linkOf({ id }) {
      const { meta } = await request('PATCH', `payment_subscriptions/${id}/customer_link`);
      return meta?.customer_url ?? '';
    },
    async allow(customer_permissions) {
      const [merchant] = await request<readonly Resource[]>('GET', 'merchants');
      const { type, id } = merchant as Resource;
      await request('PATCH', `${type}/${id}`, { type, id, attributes: { customer_permissions } });
    },
    fetch: (type, id) => request('GET', `${type}/${id}`),
    async refund(payment_demand, amount_cents) {
      const refundAttributes = { reason: 'customer_canceled', amount_cents };
      const { type, id } = await make('refund_demands', refundAttributes, { payment_demand });
      await pollUntil(
        () => request('GET', `${type}/${id}`),
        ({ attributes }) => attributes.status === 'succeeded',
      );
    },
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
}

/** Waits until the subscription has recorded its charge's outcome. */
async function waitUntilSettled(
  read: () => Promise<Resource>,
  chargesOf: (subscription: Resource) => Promise<readonly Resource[]>,
): Promise<Resource> {
  const outcomes = ['succeeded', 'failed'];
  await pollUntil(
    async () => {
      const [charge] = await chargesOf(await read());
      return charge;
    },
    (charge) => outcomes.includes(String(charge?.attributes.status)),
  );
  return read();
}

async function pollUntil<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  for (let attempts = 0; attempts < 200; attempts++) {
    const value = await read();
    if (isDone(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the expected state did not come');
}

const ADDRESS = {
  line_1: '1 Main Street',
  city: 'New York',
  state: 'NY',
  zip: '10001',
  country: 'USA',
};

const CARD = { card_cvv_token: 'cvv_test', expiry_month: 12, expiry_year: 2031 };

const PLAN = {
  confirmed: true,
  amount_cents: 2500,
  amount_currency: 'USD',
  description: 'A rose a month',
  purchase_reference: 'rose-42',
  purchase_kind: 'order',
  slug: 'a_rose_a_month',
  billing_period: 'one_month',
  line_items: [{ name: 'Rose', quantity: 5, amount_cents: 480, amount_currency: 'USD' }],
  tax_detail: { tax_cents: 100, tax_currency: 'USD' },
};
