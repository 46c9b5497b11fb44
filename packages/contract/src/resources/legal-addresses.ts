import { defineResource, timestamps } from './define-resource.ts';

export const legalAddresses = defineResource({
  type: 'legal_addresses',
  summary: 'A physical address for legal purposes',
  owner: 'merchant',
  few: 500,
  group: 'banking',
  operations: ['list', 'fetch', 'create'],
  fields: {
    line_1: { type: 'string', create: 'required', max: 200, description: 'Street and number.' },
    line_2: {
      type: 'string',
      create: 'optional',
      max: 200,
      description: 'Flat, floor or care of.',
    },
    city: { type: 'string', create: 'required', max: 100 },
    state: {
      type: 'string',
      create: 'required',
      max: 100,
      description:
        'State, province or region. Where the country has a known list it must be one of it, by code or name.',
    },
    zip: { type: 'string', create: 'required', max: 20, description: 'Postal code.' },
    country: { type: 'country', create: 'required' },
    ...timestamps,
  },
  relations: {},
});
