import { defineResource, timestamps } from './define-resource.ts';

export const legalAddresses = defineResource({
  type: 'legal_addresses',
  summary: 'A physical address for legal purposes',
  owner: 'merchant',
  few: true,
  group: 'banking',
  operations: ['list', 'fetch', 'create'],
  fields: {
    line_1: { type: 'string', create: 'required', max: 200 },
    line_2: { type: 'string', create: 'optional', max: 200 },
    city: { type: 'string', create: 'required', max: 100 },
    state: { type: 'string', create: 'required', max: 100 },
    zip: { type: 'string', create: 'required', max: 20 },
    country: { type: 'country', create: 'required' },
    ...timestamps,
  },
  relations: {},
});
