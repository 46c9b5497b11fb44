import { defineResource, timestamps } from './define-resource.ts';

export const merchantTokens = defineResource({
  type: 'merchant_tokens',
  summary: 'An API key; its value is shown once, when it is made',
  owner: 'mode',
  few: true,
  group: 'user',
  operations: ['list', 'fetch', 'create'],
  actions: { revoke: { summary: 'Let the key expire now, for good' } },
  fields: {
    name: { type: 'string', create: 'required', max: 100 },
    context: { type: 'enum', values: ['browser', 'secret'], create: 'required' },
    schema: { type: 'enum', values: ['live', 'sandbox'], create: 'optional', column: 'mode' },
    token: { type: 'string', sensitive: true, shown_once: true },
    expiry: { type: 'timestamp', create: 'optional' },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    processor_detail: { to: 'processor_details', create: 'optional' },
    permissions: {
      to: 'permissions',
      many: true,
      through: {
        table: 'merchant_token_permissions',
        from: 'merchant_token_id',
        to: 'permission_id',
      },
      create: 'optional',
    },
  },
});
