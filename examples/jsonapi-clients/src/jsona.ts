import { Jsona } from 'jsona';
import { type Florin, newCustomer, type SaveWhole } from './customer.ts';

interface Model {
  readonly id: string;
  readonly type: string;
}

const formatter = new Jsona();

/** Sends a document that Jsona built. Jsona has no HTTP client of its own. */
async function ask({ base, key }: Florin, method: string, path: string, document?: object) {
  const response = await fetch(`${base}/v2/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/vnd.api+json' },
    ...(document && { body: JSON.stringify(document) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return formatter.deserialize(text) as Model;
}

export const saveByJsona: SaveWhole = async (florin, name) => {
  const stuff = { type: 'customers', ...newCustomer(name) };
  const { id } = await ask(florin, 'POST', 'customers', formatter.serialize({ stuff }));
  const customer = await ask(florin, 'GET', `customers/${id}?include=merchant,addresses`);
  const document = formatter.serialize({
    stuff: { ...customer, name },
    includeNames: ['merchant', 'addresses'],
  });
  await ask(florin, 'PATCH', `customers/${id}`, document);
  return id;
};
