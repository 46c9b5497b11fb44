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
        'In the mode it is of, `quarantine` lets no new payments be made while reading, refunds, voids and answers to disputes work; `ban` leaves reading of payments and refunds. Both count at once.',
    },
    status: {
      type: 'enum',
      values: statesOf(merchantPunitiveActionMachine),
      always_set: true,
      opaque: true,
      description: '`in_force` until the operator lifts it.',
    },
    reason: { type: 'string', max: 2000, opaque: true, description: 'Why it was taken.' },
    lifted_at: {
      type: 'timestamp',
      opaque: true,
      description: 'When it was lifted; null until then.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    red_flag: { to: 'red_flags' },
  },
});
