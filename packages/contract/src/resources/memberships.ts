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
      summary: 'Take a person’s membership away, or withdraw an invitation',
      description:
        'All that the person could do for the merchant ends at once. That of the `opener` stays, and so does one that holds what the caller does not; one that was removed stays as it is. Keys that the person made work on: revoke them.',
    },
    resend: {
      summary: 'Send an invitation again',
      description:
        'With a new link, which is good for seven days; the earlier one no longer is. One that was accepted is 405.',
    },
  },
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
      description:
        'When the person accepted; null while the invitation is open, and once it was removed.',
    },
    removed_at: {
      type: 'timestamp',
      description: 'When it was taken away; null while it counts. The person can be invited again.',
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
        'Nobody gives what they do not hold, or changes a membership that holds more than they do. What a sandbox key gives is of no effect in live mode.',
    },
  },
});
