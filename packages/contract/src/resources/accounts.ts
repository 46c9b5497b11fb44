import { defineResource, timestamps } from './define-resource.ts';

export const accounts = defineResource({
  type: 'accounts',
  summary: 'A person with a login, as seen by the merchants that the person belongs to',
  owner: 'platform',
  seen_through: { relation: 'memberships', set: 'accepted_at' },
  few: 500,
  group: 'user',
  operations: ['list', 'fetch'],
  fields: {
    account_status: {
      type: 'enum',
      values: ['incomplete', 'active', 'quarantined', 'banned', 'pending', 'archived'],
      always_set: true,
      description: 'State of the account. Only an `active` account can sign in.',
    },
    email: {
      type: 'email',
      always_set: true,
      description: 'Email address for sign-in.',
    },
    name: { type: 'string', description: 'The person’s full name.' },
    ...timestamps,
  },
  relations: {
    memberships: { to: 'memberships', many: true, inverse: 'account' },
    owner: { to: 'accounts' },
    personal_identification: { to: 'personal_identifications' },
  },
});
