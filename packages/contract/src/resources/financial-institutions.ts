import { defineResource, timestamps } from './define-resource.ts';

export const financialInstitutions = defineResource({
  type: 'financial_institutions',
  summary: 'A bank that is known for a merchant',
  owner: 'merchant',
  few: true,
  group: 'banking',
  operations: ['list', 'fetch'],
  fields: {
    name: { type: 'string' },
    icon_url: { type: 'url' },
    login_url: { type: 'url' },
    logo_url: { type: 'url' },
    primary_colour: { type: 'string' },
    state: { type: 'enum', values: ['pending', 'verified'] },
    ...timestamps,
  },
  relations: { personal_identification: { to: 'personal_identifications' } },
});
