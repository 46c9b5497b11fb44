import { defineResource, timestamps } from './define-resource.ts';

export const personalIdentifications = defineResource({
  type: 'personal_identifications',
  summary: 'The identity of an owner, official or account holder',
  owner: 'mode',
  few: 500,
  group: 'banking',
  operations: ['list', 'fetch', 'create'],
  fields: {
    full_name: {
      type: 'string',
      create: 'required',
      max: 200,
      sensitive: true,
      description: 'The name as printed on documents.',
    },
    personal_name: {
      type: 'string',
      create: 'optional',
      max: 100,
      sensitive: true,
      description: 'Given names.',
    },
    surname: {
      type: 'string',
      create: 'optional',
      max: 100,
      sensitive: true,
      description: 'Family name.',
    },
    name_on_document: {
      type: 'string',
      create: 'optional',
      max: 200,
      sensitive: true,
      description: 'The name on the document, if it differs from `full_name`.',
    },
    nationality: {
      type: 'country',
      create: 'optional',
      sensitive: true,
      description: 'Country of citizenship.',
    },
    dob: { type: 'date', create: 'optional', sensitive: true, description: 'Date of birth.' },
    email: { type: 'email', create: 'optional', max: 254, sensitive: true },
    phone_number: { type: 'phone', create: 'optional', sensitive: true },
    id_number: {
      type: 'string',
      create: 'optional',
      min: 4,
      max: 50,
      sensitive: true,
      description:
        'Number of a passport, identity card or social security. Responses show the last four characters.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants', create: 'optional' },
    legal_address: { to: 'legal_addresses', create: 'optional' },
    corporate_officials: {
      to: 'corporate_officials',
      many: true,
      inverse: 'personal_identification',
    },
    beneficial_owners: { to: 'beneficial_owners', many: true, inverse: 'personal_identification' },
  },
});
