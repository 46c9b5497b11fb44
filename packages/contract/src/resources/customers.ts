import { defineResource, timestamps } from './define-resource.ts';

export const customers = defineResource({
  type: 'customers',
  summary: 'A customer of the merchant',
  owner: 'mode',
  group: 'consumer',
  operations: ['list', 'fetch', 'create', 'update'],
  events: { scope: 'consumer.customers', slugs: ['created', 'updated'] },
  fields: {
    email: {
      type: 'email',
      create: 'required',
      update: true,
      max: 254,
      description: 'Need not be unique: two customers may have the same.',
    },
    name: { type: 'string', create: 'optional', update: true, max: 200 },
    phone_number: { type: 'phone', create: 'optional', update: true },
    description: {
      type: 'string',
      create: 'optional',
      update: true,
      max: 1000,
      description: 'A note of the merchant’s own; the customer never sees it.',
    },
    blocked_at: {
      type: 'timestamp',
      description: 'When the customer was barred from paying; null where that never happened.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    addresses: { to: 'consumer_addresses', many: true, inverse: 'customer' },
    payment_demands: { to: 'payment_demands', many: true, inverse: 'payer' },
    payment_methods: { to: 'payment_methods', many: true, inverse: 'customer' },
  },
});
