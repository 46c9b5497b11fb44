import { defineResource, timestamps } from './define-resource.ts';

export const merchantPunitiveActions = defineResource({
  type: 'merchant_punitive_actions',
  summary: 'A measure that the operator has taken against a merchant',
  owner: 'mode',
  few: true,
  group: 'user',
  operations: ['list', 'fetch'],
  fields: {
    action: { type: 'enum', values: ['quarantine', 'ban'] },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    red_flag: { to: 'red_flags' },
  },
});
