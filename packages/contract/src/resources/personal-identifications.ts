import { defineResource, timestamps } from './define-resource.ts';

export const personalIdentifications = defineResource({
  type: 'personal_identifications',
  summary: 'Who a person is, for owners, officials and account holders',
  owner: 'mode',
  few: true,
  group: 'banking',
  operations: ['list', 'fetch', 'create'],
  fields: {
    full_name: { type: 'string', create: 'required', max: 200, sensitive: true },
    personal_name: { type: 'string', create: 'optional', max: 100, sensitive: true },
    surname: { type: 'string', create: 'optional', max: 100, sensitive: true },
    name_on_document: { type: 'string', create: 'optional', max: 200, sensitive: true },
    nationality: { type: 'country', create: 'optional', sensitive: true },
    dob: { type: 'date', create: 'optional', sensitive: true },
    email: { type: 'email', create: 'optional', max: 254, sensitive: true },
    phone_number: { type: 'phone', create: 'optional', sensitive: true },
    id_number: { type: 'string', create: 'optional', min: 4, max: 50, sensitive: true },
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
