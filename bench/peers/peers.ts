/** Another program that stores records of payments and lists them over HTTP. */
export interface Peer {
  readonly name: string;
  /** Where a created record is when the response is sent. */
  readonly keeps: string;
  /** File in `programs`. */
  readonly program: string;
  /** Packages of npm with their exact versions. */
  readonly packages: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly create: { readonly path: string; readonly body: string };
  /** Path of a page of 50 records. */
  readonly page: string;
}

export const PAGE_SIZE = 50;

const json = { 'content-type': 'application/json' };
const jsonApi = {
  accept: 'application/vnd.api+json',
  'content-type': 'application/vnd.api+json',
};

/** The payment that each create sends: the attributes that Florin's own create sends, and those it adds itself. */
const payment = {
  status: 'incomplete',
  amountCents: 2500,
  amountCurrency: 'USD',
  purchaseReference: 'order-1',
  purchaseKind: 'order',
  description: 'An enamel mug',
  createdAt: '2026-01-31T12:00:00.000Z',
  updatedAt: '2026-01-31T12:00:00.000Z',
};

const withDashes = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const dashed = Object.fromEntries(
  Object.entries(payment).map(([name, value]) => [withDashes(name), value]),
);

const document = (type: string, attributes: object): string =>
  JSON.stringify({ data: { type, attributes } });

export const peers: readonly Peer[] = [
  {
    name: 'Stripe emulator (stripe-stateful-mock 0.0.16)',
    keeps: 'memory: a charge',
    program: 'stripe-emulator.mjs',
    packages: { 'stripe-stateful-mock': '0.0.16', loglevel: '1.9.2' },
    headers: {
      authorization: 'Bearer sk_test_florin',
      'content-type': 'application/x-www-form-urlencoded',
    },
    create: {
      path: '/v1/charges',
      body: 'amount=2500&currency=usd&source=tok_visa&description=An+enamel+mug',
    },
    page: `/v1/charges?limit=${PAGE_SIZE}`,
  },
  {
    name: 'Medusa payment module (2.21.2)',
    keeps: 'PostgreSQL: a payment collection',
    program: 'medusa-payment.mjs',
    packages: { '@medusajs/payment': '2.21.2', '@medusajs/framework': '2.21.2' },
    headers: json,
    create: { path: '/', body: JSON.stringify({ currency_code: 'usd', amount: 25 }) },
    page: '/',
  },
  {
    name: 'JSON:API server Fortune (5.5.19)',
    keeps: 'PostgreSQL: a payment',
    program: 'fortune.mjs',
    packages: {
      fortune: '5.5.19',
      'fortune-http': '1.2.28',
      'fortune-json-api': '2.3.1',
      'fortune-postgres': '1.6.10',
      pg: '8.23.1',
    },
    headers: jsonApi,
    create: { path: '/payments', body: document('payments', dashed) },
    page: `/payments?page[limit]=${PAGE_SIZE}`,
  },
  {
    name: 'JSON:API server json-api-nestjs (7.0.3)',
    keeps: 'PostgreSQL: a payment',
    program: 'json-api-nestjs.mjs',
    packages: {
      'json-api-nestjs': '7.0.3',
      '@nestjs/common': '10.4.15',
      '@nestjs/core': '10.4.15',
      '@nestjs/platform-express': '10.4.15',
      '@nestjs/swagger': '7.4.2',
      '@nestjs/typeorm': '10.0.2',
      'reflect-metadata': '0.2.1',
      rxjs: '7.8.1',
      tslib: '2.4.1',
      typeorm: '0.3.20',
      pg: '8.23.1',
    },
    headers: json,
    create: { path: '/payments', body: document('payments', payment) },
    page: `/payments?page[size]=${PAGE_SIZE}&page[number]=1`,
  },
  {
    name: 'JSON:API server Kurier (1.2.0-alpha3)',
    keeps: 'PostgreSQL: a payment',
    program: 'kurier.mjs',
    packages: { kurier: '1.2.0-alpha3', knex: '0.95.15', koa: '2.16.4', pg: '8.23.1' },
    headers: jsonApi,
    create: { path: '/payments', body: document('payment', payment) },
    page: `/payments?page[size]=${PAGE_SIZE}&page[number]=0`,
  },
];
