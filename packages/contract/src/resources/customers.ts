import { locales } from '../locales.ts';
import { defineResource, SET, timestamps } from './define-resource.ts';
import { metadata } from './metadata.ts';

export const customers = defineResource({
  type: 'customers',
  summary: 'A customer of the merchant',
  owner: 'mode',
  group: 'consumer',
  ended: 'merged_at',
  unlisted: { merged_at: SET },
  operations: ['list', 'fetch', 'create', 'update'],
  actions: {
    block: {
      summary: 'Block the customer',
      description:
        'Payments of a blocked customer fail as `customer_blocked`. Florin does not send them. A blocked customer does not change.',
    },
    unblock: {
      summary: 'Unblock the customer',
      description: 'A customer who is not blocked does not change.',
    },
  },
  events: { scope: 'consumer.customers', slugs: ['created', 'updated', 'merged'] },
  fields: {
    email: {
      type: 'email',
      create: 'required',
      update: true,
      max: 254,
      description: 'Customers may share an email address.',
    },
    name: { type: 'string', create: 'optional', update: true, max: 200 },
    phone_number: { type: 'phone', create: 'optional', update: true },
    description: {
      type: 'string',
      create: 'optional',
      update: true,
      max: 1000,
      description: 'An internal note. The customer never sees it.',
    },
    locale: {
      type: 'enum',
      values: locales,
      create: 'optional',
      update: true,
      opaque: true,
      description: 'Language of emails to the customer. Default: the language of the merchant.',
    },
    blocked_at: {
      type: 'timestamp',
      description:
        'Time since which the customer is blocked from paying; null otherwise. See the actions `block` and `unblock`.',
    },
    merged_at: {
      type: 'timestamp',
      description:
        'Time at which the customer was merged into `merged_into`; null otherwise. Nothing changes a merged customer, and nothing new can belong to it.',
    },
    metadata: { ...metadata, update: true },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    merged_into: {
      to: 'customers',
      description: 'The customer who has the records since the merge.',
    },
    addresses: { to: 'consumer_addresses', many: true, inverse: 'customer' },
    payment_demands: { to: 'payment_demands', many: true, inverse: 'payer' },
    payment_methods: { to: 'payment_methods', many: true, inverse: 'customer' },
  },
});
