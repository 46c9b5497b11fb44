import { defineResource, timestamps } from './define-resource.ts';

export const memberships = defineResource({
  type: 'memberships',
  summary: 'What an account may do for a merchant; open until the person accepts it',
  owner: 'merchant',
  few: 500,
  group: 'user',
  operations: ['list', 'fetch', 'create'],
  fields: {
    opener: {
      type: 'boolean',
      default: false,
      description: 'Whether the account is the one that opened the merchant: it may do everything.',
    },
    email: {
      type: 'email',
      create: 'optional',
      max: 254,
      description: 'Whom to invite. Left out where `account` names somebody who is known already.',
    },
    accepted_at: {
      type: 'timestamp',
      description: 'When the person accepted; null while the invitation is open.',
    },
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
