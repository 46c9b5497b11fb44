import { defineResource, timestamps } from './define-resource.ts';

export const consumerAddresses = defineResource({
  type: 'consumer_addresses',
  summary: 'A physical address of a customer',
  owner: 'mode',
  group: 'consumer',
  operations: ['list', 'fetch', 'create', 'update'],
  events: { scope: 'consumer.addresses', slugs: ['created', 'updated'] },
  fields: {
    line_1: { type: 'string', create: 'required', update: true, max: 200, opaque: true },
    line_2: { type: 'string', create: 'optional', update: true, max: 200, opaque: true },
    city: { type: 'string', create: 'required', update: true, max: 100 },
    state: { type: 'string', create: 'required', update: true, max: 100 },
    zip: { type: 'string', create: 'required', update: true, max: 20 },
    country: { type: 'country', create: 'required', update: true },
    discarded_at: { type: 'timestamp' },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    customer: { to: 'customers', create: 'optional' },
  },
});
