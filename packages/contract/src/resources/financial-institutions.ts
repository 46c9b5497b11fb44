import { defineResource, timestamps } from './define-resource.ts';

export const financialInstitutions = defineResource({
  type: 'financial_institutions',
  summary: 'A bank account of a merchant',
  owner: 'merchant',
  few: 500,
  group: 'banking',
  operations: ['list', 'fetch'],
  fields: {
    name: { type: 'string' },
    icon_url: { type: 'url', description: 'A small picture of the bank.' },
    login_url: { type: 'url', description: 'Where its customers sign in.' },
    logo_url: { type: 'url', description: 'The bank’s logo.' },
    primary_colour: { type: 'string', description: 'Hexadecimal, such as `#0b57bf`.' },
    state: {
      type: 'enum',
      values: ['pending', 'verified'],
      description: '`verified` once an operator has checked the bank account.',
    },
    ...timestamps,
  },
  relations: { personal_identification: { to: 'personal_identifications' } },
});
