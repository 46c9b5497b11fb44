import { defineResource, timestamps } from './define-resource.ts';

export const merchantPunitiveActions = defineResource({
  type: 'merchant_punitive_actions',
  summary: 'A measure that the operator has taken against a merchant',
  owner: 'mode',
  few: 500,
  group: 'user',
  operations: ['list', 'fetch'],
  fields: {
    action: {
      type: 'enum',
      values: ['quarantine', 'ban'],
      description: '`quarantine` holds the merchant back for a while, `ban` ends it.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    red_flag: { to: 'red_flags' },
  },
});
