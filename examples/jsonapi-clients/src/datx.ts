import { createRequire } from 'node:module';
import { newCustomer, type SaveWhole } from './customer.ts';

// The ESM build of datx imports files without the extensions that Node requires.
const require = createRequire(import.meta.url);
const { Collection, getModelId, PureModel } = require('@datx/core') as typeof import('@datx/core');
const { config, jsonapi } = require('@datx/jsonapi') as typeof import('@datx/jsonapi');

class Customer extends jsonapi(PureModel) {
  static override type = 'customers';
  name = '';
}

class Store extends jsonapi(Collection) {
  static override types = [Customer];
}

export const saveByDatx: SaveWhole = async ({ base, key }, name) => {
  config.baseUrl = `${base}/v2/`;
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/vnd.api+json',
  };
  config.defaultFetchOptions = { headers };
  const made = new Store().add(newCustomer(name), Customer);
  await made.save();
  const { data } = await new Store().getOne(Customer, String(getModelId(made)));
  const customer = data as Customer;
  customer.name = name;
  await customer.save();
  return String(getModelId(customer));
};
