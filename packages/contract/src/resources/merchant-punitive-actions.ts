import { statesOf } from '../machines/define-machine.ts';
import { merchantPunitiveActionMachine } from '../machines/merchant-punitive-action.ts';
import { defineResource, timestamps } from './define-resource.ts';

export const merchantPunitiveActions = defineResource({
  type: 'merchant_punitive_actions',
  summary: 'An enforcement action of the operator against a merchant',
  owner: 'mode',
  few: 500,
  group: 'user',
  operations: ['list', 'fetch'],
  fields: {
    action: {
      type: 'enum',
      values: ['quarantine', 'ban'],
      description:
        '`quarantine` stops new payments in its mode; reading, refunds, voids and answers to disputes work. `ban` stops everything except reading of payments and refunds. Both apply immediately.',
    },
    status: {
      type: 'enum',
      values: statesOf(merchantPunitiveActionMachine),
      always_set: true,
      opaque: true,
      description: '`in_force` until the operator lifts it.',
    },
    reason: { type: 'string', max: 2000, opaque: true, description: 'Reason of the action.' },
    lifted_at: {
      type: 'timestamp',
      opaque: true,
      description: 'Time at which it was lifted; null until then.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    red_flag: { to: 'red_flags' },
  },
});
