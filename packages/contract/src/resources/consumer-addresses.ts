import { defineResource, timestamps } from './define-resource.ts';

export const consumerAddresses = defineResource({
  type: 'consumer_addresses',
  summary: 'A postal address of a customer',
  owner: 'mode',
  group: 'consumer',
  operations: ['list', 'fetch', 'create', 'update'],
  events: { scope: 'consumer.addresses', slugs: ['created', 'updated'] },
  fields: {
    line_1: {
      type: 'string',
      create: 'required',
      update: true,
      max: 200,
      opaque: true,
      description: 'Street and number.',
    },
    line_2: {
      type: 'string',
      create: 'optional',
      update: true,
      max: 200,
      opaque: true,
      description: 'Flat, floor or care-of line.',
    },
    city: { type: 'string', create: 'required', update: true, max: 100 },
    state: {
      type: 'string',
      create: 'required',
      update: true,
      max: 100,
      description:
        'State, province or region. Enter the region or city where addresses have none. USA and CAN need a known code or name.',
    },
    zip: { type: 'string', create: 'required', update: true, max: 20, description: 'Postal code.' },
    country: { type: 'country', create: 'required', update: true },
    discarded_at: {
      type: 'timestamp',
      description: 'Time at which it was discarded; null while in use.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    customer: { to: 'customers', create: 'optional' },
  },
});
