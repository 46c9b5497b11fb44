import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SharedStack } from '@florin/dev-env/shared-stack.ts';

interface Resource {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<
    Record<string, { readonly data?: { readonly id: string } | null }>
  >;
}

/** A shop of a running Florin, whose payments the test creates. */
export interface BankShop extends AsyncDisposable {
  readonly stack: SharedStack;
  /** URL of the shop's page. */
  readonly shopUrl: string;
  readonly publishable_key: string;
  /** URL of the shop's page with cross-origin isolation. */
  readonly isolatedUrl: string;
  /** Creates a payment that needs only a card. The amount is in minor units. */
  makePayment(amount_cents: number): Promise<string>;
  /** Creates a subscription that needs only a card. */
  makeSubscription(amount_cents: number): Promise<string>;
  confirm(paymentId: string): Promise<void>;
  fetch(type: string, id: string): Promise<Resource>;
  /** All payment methods, newest first. */
  listMethods(): Promise<readonly Resource[]>;
}

const MEDIA_TYPE = 'application/vnd.api+json';

export async function openBankShop(stack: SharedStack): Promise<BankShop> {
  const shopPage = await openShopPage(stack.payUrl);
  return {
    stack,
    shopUrl: shopPage.shopUrl,
    isolatedUrl: `${shopPage.shopUrl}${ISOLATED_PATH}`,
    publishable_key: stack.credentials.sandbox.publishable_key,
    ...shopApi(stack),
    [Symbol.asyncDispose]: () => shopPage[Symbol.asyncDispose](),
  };
}

/** Opens a shop page on an origin of its own. The page mounts the form of the pay origin `payUrl`. */
export async function openShopPage(
  payUrl: string,
): Promise<{ readonly shopUrl: string } & AsyncDisposable> {
  const server = createServer(({ url }, response) => {
    const isolation = url === ISOLATED_PATH && ISOLATION_HEADERS;
    response.writeHead(200, { ...headersOf(payUrl), ...isolation }).end(pageOf(payUrl));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    shopUrl: `http://shop.localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Client of the interface with a shop's sandbox key. */
export function shopApi({ baseUrl, credentials }: Pick<SharedStack, 'baseUrl' | 'credentials'>) {
  async function call<Data>(method: string, path: string, data?: object): Promise<Data> {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${credentials.sandbox.secret_key}`,
        'user-agent': 'e2e/1',
        'content-type': MEDIA_TYPE,
      },
      ...(data && { body: JSON.stringify({ data }) }),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: Data }).data;
  }
  const make = (type: string, attributes: object, relationships: object = {}) =>
    call<Resource>('POST', `/v2/${type}`, { type, attributes, relationships });
  const linkTo = (type: string, { id }: Resource) => ({ data: { type, id } });
  async function makeIntent(type: string, attributes: object): Promise<string> {
    const payer = await make('customers', { email: 'ada@example.com', name: 'Ada' });
    const address = await make('consumer_addresses', ADDRESS);
    const relationships = {
      payer: linkTo('customers', payer),
      billing_address: linkTo('consumer_addresses', address),
    };
    return (await make(type, { ...PURCHASE, ...attributes }, relationships)).id;
  }
  return {
    makePayment: (amount_cents: number) => makeIntent('payment_demands', { amount_cents }),
    makeSubscription: (amount_cents: number) =>
      makeIntent('payment_subscriptions', {
        amount_cents,
        slug: 'a_rose_a_month',
        billing_period: 'one_month',
        line_items: [{ name: 'Rose', quantity: 1, amount_cents, amount_currency: 'USD' }],
      }),
    confirm: async (id: string) => void (await call('PATCH', `/v2/payment_demands/${id}/confirm`)),
    fetch: (type: string, id: string) => call<Resource>('GET', `/v2/${type}/${id}`),
    listMethods: () => call<Resource[]>('GET', '/v2/payment_methods'),
  };
}

const PURCHASE = {
  amount_currency: 'USD',
  purchase_reference: 'order-1',
  purchase_kind: 'order',
};

const ADDRESS = {
  line_1: '1 Main Street',
  city: 'New York',
  state: 'NY',
  zip: '10001',
  country: 'USA',
};

const ISOLATED_PATH = '/isolated';
const ISOLATION_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

const headersOf = (payUrl: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; script-src ${payUrl}; frame-src ${payUrl}`,
});

const pageOf = (payUrl: string): string =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Shop</title><script src="${payUrl}/v1/florin.js"></script><h1>Shop</h1><div id="form"></div>`;
