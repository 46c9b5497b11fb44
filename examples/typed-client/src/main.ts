// Makes three customers, then reads all customers page by page. BASE is the address of a Florin, KEY a secret key.
import createClient from 'openapi-fetch';
import type { components, paths } from '../dist/florin.d.ts';

type Customers = components['schemas']['CustomerListDocument'];

const { BASE = 'http://localhost:4000', KEY = '' } = process.env;
const header = { 'User-Agent': 'typed-client/1.0' };
const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/vnd.api+json' };

const client = createClient<paths>({
  baseUrl: BASE,
  headers,
  querySerializer: { array: { style: 'form', explode: false } },
});

async function createCustomer(email: string): Promise<string> {
  const { data, error } = await client.POST('/v2/customers', {
    params: { header: { ...header, 'Idempotency-Key': email } },
    body: { data: { type: 'customers', attributes: { email } } },
  });
  if (error) throw new Error(error.errors[0]?.detail);
  return data.data.id;
}

async function firstPage(): Promise<Customers> {
  const { data, error } = await client.GET('/v2/customers', {
    params: {
      header,
      query: { 'page[size]': 2, sort: ['created_at'], 'fields[customers]': ['email'] },
    },
  });
  if (error) throw new Error(error.errors[0]?.detail);
  return data;
}

/** Links are followed as they are, so this is a plain request. */
async function pageAt(link: string): Promise<Customers> {
  const response = await fetch(link, { headers: { ...headers, ...header } });
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

for (const name of ['ada', 'bertha', 'clara']) await createCustomer(`${name}@example.com`);
for await (const { id, attributes } of allCustomers()) console.log(id, attributes?.email);
