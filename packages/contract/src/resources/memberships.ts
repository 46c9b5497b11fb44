import { defineResource, timestamps } from './define-resource.ts';

export const memberships = defineResource({
  type: 'memberships',
  summary: 'What an account may do for a merchant; open until the person accepts it',
  owner: 'merchant',
  few: true,
  group: 'user',
  operations: ['list', 'fetch', 'create'],
  fields: {
    opener: { type: 'boolean', default: false },
    email: { type: 'email', create: 'optional', max: 254 },
    accepted_at: { type: 'timestamp' },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    account: { to: 'accounts', create: 'optional' },
    permissions: {
      to: 'permissions',
      many: true,
      through: { table: 'membership_permissions', from: 'membership_id', to: 'permission_id' },
      create: 'optional',
    },
  },
});
