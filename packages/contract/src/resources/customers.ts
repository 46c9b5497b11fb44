import { locales } from '../locales.ts';
import { defineResource, timestamps } from './define-resource.ts';
import { metadata } from './metadata.ts';

export const customers = defineResource({
  type: 'customers',
  summary: 'A customer of the merchant',
  owner: 'mode',
  group: 'consumer',
  operations: ['list', 'fetch', 'create', 'update'],
  actions: {
    block: {
      summary: 'Bar the customer from paying',
      description:
        'Payments of a payer that is blocked fail as `customer_blocked` and are not sent. One that is blocked stays as it is.',
    },
    unblock: {
      summary: 'Let the customer pay again',
      description: 'One that is not blocked stays as it is.',
    },
  },
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
    locale: {
      type: 'enum',
      values: locales,
      create: 'optional',
      update: true,
      opaque: true,
      description: 'The language of letters to the customer; the merchant’s where it is not set.',
    },
    blocked_at: {
      type: 'timestamp',
      description:
        'Since when the customer is barred from paying, see the actions `block` and `unblock`; null while it may pay.',
    },
    metadata: { ...metadata, update: true },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    addresses: { to: 'consumer_addresses', many: true, inverse: 'customer' },
    payment_demands: { to: 'payment_demands', many: true, inverse: 'payer' },
    payment_methods: { to: 'payment_methods', many: true, inverse: 'customer' },
  },
});
