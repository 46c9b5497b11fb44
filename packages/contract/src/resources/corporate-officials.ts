import { defineResource, timestamps } from './define-resource.ts';

export const corporateOfficials = defineResource({
  type: 'corporate_officials',
  summary: 'A person who acts for a merchant',
  owner: 'mode',
  few: 500,
  group: 'banking',
  operations: ['list', 'fetch', 'create'],
  fields: {
    role: {
      type: 'string',
      create: 'required',
      max: 100,
      description: 'Role of the person in the business, such as `director`.',
    },
    daily_contact: {
      type: 'boolean',
      create: 'optional',
      default: false,
      description: 'Whether the person is the contact for daily questions.',
    },
    payments_decision_maker: {
      type: 'boolean',
      create: 'optional',
      default: false,
      description: 'Whether the person decides about payments.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    personal_identification: { to: 'personal_identifications', create: 'required' },
  },
});
