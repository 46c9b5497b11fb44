import { defineResource, timestamps } from '@florin/contract/resources/define-resource.ts';
import { compileModels } from '../model.ts';

/** Test types with every kind of field and relation. */
export const shops = defineResource({
  type: 'shops',
  summary: 'The tenant',
  owner: 'merchant',
  group: 'user',
  operations: ['list', 'fetch'],
  fields: { name: { type: 'string' }, ...timestamps },
  relations: { people: { to: 'people', many: true, inverse: 'merchant' } },
});

export const people = defineResource({
  type: 'people',
  summary: 'A buyer',
  owner: 'mode',
  group: 'consumer',
  operations: ['list', 'fetch', 'create', 'update'],
  fields: {
    email: { type: 'email', create: 'required', update: true, max: 254 },
    name: { type: 'string', create: 'optional', update: true, max: 20 },
    secret: { type: 'string', sensitive: true },
    key: { type: 'string', sensitive: true, shown_once: true },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'shops' },
    friend: { to: 'people', create: 'optional', update: true },
    orders: { to: 'orders', many: true, inverse: 'buyer' },
  },
});

const item = {
  sku: { type: 'string', create: 'optional', max: 10 },
  quantity: { type: 'integer', create: 'required', min: 1 },
  tax: { type: 'integer', create: 'optional', default: 0 },
} as const;

const state = {
  type: 'enum',
  values: ['open', 'paid'],
  column: 'status',
  default: 'open',
} as const;

export const orders = defineResource({
  type: 'orders',
  summary: 'What somebody buys',
  owner: 'mode',
  group: 'transaction',
  operations: ['list', 'fetch', 'create', 'update'],
  actions: { pay: { summary: 'Pay it' } },
  fields: {
    state,
    status: state,
    amount: { type: 'integer', create: 'required', update: true, min: 10 },
    currency: { type: 'currency', create: 'optional' },
    note: { type: 'string', create: 'optional', update: true, min: 10, max: 100 },
    paid: { type: 'boolean', create: 'optional', default: false },
    due_at: { type: 'timestamp', create: 'optional', update: true },
    due_on: { type: 'date', create: 'optional' },
    limit: { type: 'integer', create: 'optional', max: 100 },
    tags: { type: 'strings', create: 'optional', values: ['a', 'b'], min: 1 },
    items: { type: 'objects', create: 'optional', update: true, members: item, max: 3 },
    extra: { type: 'object', create: 'optional' },
    phone: { type: 'phone', create: 'optional' },
    page: { type: 'url', create: 'optional' },
    country: { type: 'country', create: 'optional' },
    zone: { type: 'timezone', create: 'optional' },
    hidden: { type: 'string', create: 'optional', write_only: true },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'shops' },
    buyer: { to: 'people', create: 'required', update: true },
  },
});

/** Compiled models of the shop test types. */
export const shopModels = compileModels({ shops, people, orders });
