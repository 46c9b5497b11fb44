import { defineResource, timestamps } from './define-resource.ts';

export const permissions = defineResource({
  type: 'permissions',
  summary: 'A permission of API keys and memberships',
  owner: 'platform',
  few: 500,
  group: 'user',
  operations: ['list', 'fetch'],
  fields: {
    slug: {
      type: 'string',
      always_set: true,
      description: '`<group>.<type>.<read, create or update>`; actions need `update`.',
    },
    description: { type: 'string', always_set: true, description: 'Meaning of the permission.' },
    ...timestamps,
  },
  relations: {
    merchant_tokens: {
      to: 'merchant_tokens',
      many: true,
      through: {
        table: 'merchant_token_permissions',
        from: 'permission_id',
        to: 'merchant_token_id',
      },
    },
  },
});
