import { defineResource, timestamps } from './define-resource.ts';

export const accounts = defineResource({
  type: 'accounts',
  summary: 'A person with a login, seen by the merchants that the person belongs to',
  owner: 'platform',
  seen_through: { relation: 'memberships', set: 'accepted_at' },
  few: true,
  group: 'user',
  operations: ['list', 'fetch'],
  fields: {
    account_status: {
      type: 'enum',
      values: ['incomplete', 'active', 'quarantined', 'banned', 'pending', 'archived'],
    },
    email: { type: 'email' },
    name: { type: 'string' },
    ...timestamps,
  },
  relations: {
    memberships: { to: 'memberships', many: true, inverse: 'account' },
    personal_identification: { to: 'personal_identifications' },
  },
});
