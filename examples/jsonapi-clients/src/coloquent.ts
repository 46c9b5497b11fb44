import { Model, type ToOneRelation } from 'coloquent';
import { type Florin, newCustomer, type SaveWhole } from './customer.ts';

let florin: Florin;

abstract class Resource extends Model {
  override getJsonApiBaseUrl(): string {
    return `${florin.base}/v2`;
  }
}

class Merchant extends Resource {
  override jsonApiType = 'merchants';
}

class Customer extends Resource {
  override jsonApiType = 'customers';

  set(attribute: string, value: string): void {
    this.setAttribute(attribute, value);
  }

  merchant(): ToOneRelation {
    return this.hasOne(Merchant, 'merchant');
  }
}

export const saveByColoquent: SaveWhole = async (to, name) => {
  florin = to;
  const made = new Customer();
  const { defaults } = Model.getHttpClient().getImplementingClient();
  defaults.headers.common.Authorization = `Bearer ${to.key}`;
  for (const [attribute, value] of Object.entries(newCustomer(name))) {
    made.set(attribute, value);
  }
  await made.save();
  const found = await Customer.with('merchant').find(made.getApiId() ?? '');
  const customer = found.getData() as Customer | null;
  if (!customer) throw new Error('The customer was not found.');
  customer.set('name', name);
  await customer.save();
  return customer.getApiId() ?? '';
};
