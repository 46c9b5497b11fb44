import { defineResource, timestamps } from './define-resource.ts';

export const legalAddresses = defineResource({
  type: 'legal_addresses',
  summary: 'A postal address for legal purposes',
  owner: 'mode',
  few: 500,
  group: 'banking',
  operations: ['list', 'fetch', 'create'],
  fields: {
    line_1: { type: 'string', create: 'required', max: 200, description: 'Street and number.' },
    line_2: {
      type: 'string',
      create: 'optional',
      max: 200,
      description: 'Flat, floor or care-of line.',
    },
    city: { type: 'string', create: 'required', max: 100 },
    state: {
      type: 'string',
      create: 'required',
      max: 100,
      description: 'State, province or region. Some countries need a code or name of a known list.',
    },
    zip: { type: 'string', create: 'required', max: 20, description: 'Postal code.' },
    country: { type: 'country', create: 'required' },
    ...timestamps,
  },
  relations: {},
});
