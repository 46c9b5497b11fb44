import { createRequire } from 'node:module';
import { newCustomer, type SaveWhole } from './customer.ts';

interface Saved {
  readonly data: { readonly id: string };
}
type DataProvider = (action: string, type: string, parameters: object) => Promise<Saved>;

const require = createRequire(import.meta.url);

export const saveByReactAdmin: SaveWhole = async ({ base, key }, name) => {
  // The client reads the token from the browser's storage.
  const localStorage = { getItem: (item: string) => (item === 'token' ? key : null) };
  Object.assign(globalThis, { localStorage });
  const { default: connect } = require('ra-jsonapi-client') as {
    default: (url: string) => DataProvider;
  };
  const provider = connect(`${base}/v2`);
  const made = await provider('CREATE', 'customers', { data: newCustomer(name) });
  const { data } = await provider('GET_ONE', 'customers', { id: made.data.id });
  const changed = { ...data, name };
  await provider('UPDATE', 'customers', { id: data.id, data: changed, previousData: data });
  return data.id;
};
