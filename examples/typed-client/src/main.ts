// Creates three customers, reads all customers page by page, and takes a payment from the last of the three.
// BASE is the address of a Florin, KEY a secret sandbox key.
import createClient from 'openapi-fetch';
import type { components, paths } from '../dist/florin.d.ts';

type Schemas = components['schemas'];
type Customers = Schemas['CustomerListDocument'];
type Payment = Schemas['PaymentDemand'];

const { BASE = 'http://localhost:4000', KEY = '' } = process.env;
const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/vnd.api+json' };

const client = createClient<paths>({
  baseUrl: BASE,
  headers,
  querySerializer: { array: { style: 'form', explode: false } },
});

async function createCustomer(email: string): Promise<string> {
  const { data, error } = await client.POST('/v2/customers', {
    params: { header: { 'Idempotency-Key': email } },
    body: { data: { type: 'customers', attributes: { email } } },
  });
  if (error) throw new Error(error.errors[0]?.detail);
  return data.data.id;
}

async function firstPage(): Promise<Customers> {
  const { data, error } = await client.GET('/v2/customers', {
    params: {
      query: { 'page[size]': 2, sort: ['created_at'], 'fields[customers]': ['email'] },
    },
  });
  if (error) throw new Error(error.errors[0]?.detail);
  return data;
}

/** Pagination links are complete addresses, so this is a plain request. */
async function pageAt(link: string): Promise<Customers> {
  const response = await fetch(link, { headers });
  return (await response.json()) as Customers;
}

async function* allCustomers() {
  let page = await firstPage();
  for (;;) {
    yield* page.data;
    if (!page.links.next) return;
    page = await pageAt(page.links.next);
  }
}

async function createAddress(): Promise<string> {
  const attributes = {
    line_1: '1 Main Street',
    city: 'New York',
    state: 'NY',
    zip: '10001',
    country: 'USA',
  };
  const { data, error } = await client.POST('/v2/consumer_addresses', {
    body: { data: { type: 'consumer_addresses', attributes } },
  });
  if (error) throw new Error(error.errors[0]?.detail);
  return data.data.id;
}

/** In the sandbox a test token replaces a card that the browser SDK would have sealed. */
async function createCard(): Promise<string> {
  const attributes = {
    card_pan_token: 'pan_test_visa',
    card_cvv_token: 'cvv_test',
    expiry_month: 12,
    expiry_year: 2031,
  };
  const { data, error } = await client.POST('/v2/payment_methods', {
    body: { data: { type: 'payment_methods', attributes } },
  });
  if (error) throw new Error(error.errors[0]?.detail);
  return data.data.id;
}

/** Attributes with defaults are omitted. The payment starts as pending and gets its outcome a moment later. */
async function createPayment(payer: string, address: string, card: string): Promise<Payment> {
  const { data, error } = await client.POST('/v2/payment_demands', {
    params: { header: { 'Idempotency-Key': `order-1 of ${payer}` } },
    body: {
      data: {
        type: 'payment_demands',
        attributes: {
          amount_cents: 2500,
          amount_currency: 'USD',
          purchase_reference: 'order-1',
          purchase_kind: 'order',
          confirmed: true,
        },
        relationships: {
          payer: { data: { type: 'customers', id: payer } },
          billing_address: { data: { type: 'consumer_addresses', id: address } },
          payment_method: { data: { type: 'payment_methods', id: card } },
        },
      },
    },
  });
  if (error) throw new Error(error.errors[0]?.detail);
  return data.data;
}

async function paymentsSince(since: string, reference: string): Promise<readonly Payment[]> {
  const { data, error } = await client.GET('/v2/payment_demands', {
    params: {
      query: {
        'filter[created_at][gte]': since,
        'filter[purchase_reference]': [reference],
        'filter[status][ne]': ['incomplete', 'failed'],
      },
    },
  });
  if (error) throw new Error(error.errors[0]?.detail);
  return data.data;
}

const customers: string[] = [];
for (const name of ['ada', 'bertha', 'clara']) {
  customers.push(await createCustomer(`${name}@example.com`));
}
for await (const { id, attributes } of allCustomers()) console.log(id, attributes?.email);

const [address, card] = await Promise.all([createAddress(), createCard()]);
const payment = await createPayment(customers.at(-1) ?? '', address, card);
for (const { id, attributes } of await paymentsSince(
  payment.attributes?.created_at ?? '',
  'order-1',
)) {
  console.log(id, attributes?.amount_cents, attributes?.amount_currency);
}
