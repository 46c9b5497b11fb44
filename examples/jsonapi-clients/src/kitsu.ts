import { default as Kitsu } from 'kitsu';
import { newCustomer, type SaveWhole } from './customer.ts';

/**
 * Kitsu puts relationships that were not included among the attributes, as objects with only links. The server
 * accepts these on update.
 */
export const saveByKitsu: SaveWhole = async ({ base, key }, name) => {
  const api = new Kitsu({
    baseURL: `${base}/v2`,
    headers: { Authorization: `Bearer ${key}` },
    camelCaseTypes: false,
    resourceCase: 'none',
    pluralize: false,
  });
  const made = await api.create('customers', newCustomer(name));
  const params = { include: 'merchant,addresses' };
  const { data } = await api.get(`customers/${made.data.id}`, { params });
  await api.update('customers', { ...data, name });
  return data.id;
};
