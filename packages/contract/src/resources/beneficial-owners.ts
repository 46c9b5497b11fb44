import { defineResource, timestamps } from './define-resource.ts';

export const beneficialOwners = defineResource({
  type: 'beneficial_owners',
  summary: 'A person who owns a part of the merchant',
  owner: 'mode',
  few: 100,
  group: 'banking',
  operations: ['list', 'fetch', 'create'],
  fields: {
    ownership_percentage: {
      type: 'integer',
      create: 'required',
      min: 1,
      max: 100,
      description: 'Share of the business in whole percent. All owners together hold at most 100.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    personal_identification: { to: 'personal_identifications', create: 'required' },
  },
});
