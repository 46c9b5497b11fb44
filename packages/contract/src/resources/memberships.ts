import { defineResource, timestamps } from './define-resource.ts';

export const memberships = defineResource({
  type: 'memberships',
  summary: 'The membership of an account in a merchant, with its permissions',
  owner: 'merchant',
  few: 500,
  ended: 'removed_at',
  group: 'user',
  operations: ['list', 'fetch', 'create', 'update'],
  actions: {
    remove: {
      summary: 'Remove a membership, or withdraw an invitation',
      description:
        'The person loses all permissions at once. The membership of the `opener` cannot be removed, nor one with permissions that the caller lacks. Removing twice changes nothing. A member with working keys needs `keys`.',
      fields: {
        keys: {
          type: 'enum',
          values: ['revoke', 'hand_over'],
          description:
            'What happens to working keys of the member, in both modes: `revoke` ends them at once, `hand_over` makes the caller their `creator`.',
        },
      },
    },
    resend: {
      summary: 'Resend an invitation',
      description:
        'Sends a new link that works for seven days; the earlier link ends. An accepted invitation answers 405.',
    },
  },
  fields: {
    opener: {
      type: 'boolean',
      default: false,
      description: 'Whether the account opened the merchant, and so has all permissions.',
    },
    email: {
      type: 'email',
      create: 'optional',
      max: 254,
      description:
        'Email of the person to invite. Leave it out if `account` names a known account.',
    },
    accepted_at: {
      type: 'timestamp',
      description: 'Time of acceptance; null while the invitation is open and after removal.',
    },
    removed_at: {
      type: 'timestamp',
      description:
        'Time of removal; null while the membership is active. The person can be invited again.',
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
      update: true,
      description:
        'Permissions of the member. A caller can only grant permissions that it has, and cannot change a membership with more. Permissions granted by a sandbox key have no effect in live mode.',
    },
  },
});
