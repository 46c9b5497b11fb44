import { defineResource, timestamps } from './define-resource.ts';

export const corporateOfficials = defineResource({
  type: 'corporate_officials',
  summary: 'A person who acts for a merchant',
  owner: 'mode',
  few: true,
  group: 'banking',
  operations: ['list', 'fetch', 'create'],
  fields: {
    role: { type: 'string', create: 'required', max: 100 },
    daily_contact: { type: 'boolean', create: 'optional', default: false },
    payments_decision_maker: { type: 'boolean', create: 'optional', default: false },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    personal_identification: { to: 'personal_identifications', create: 'required' },
  },
});
