import { AMOUNT_MAX } from '../risk/amounts.ts';
import { VELOCITY_LIMITS_MAX, VELOCITY_WINDOW, velocityKinds } from '../risk/velocity.ts';
import { defineResource, timestamps } from './define-resource.ts';

export const velocityLimits = defineResource({
  type: 'velocity_limits',
  summary: 'A limit on payments in a time window',
  owner: 'mode',
  few: VELOCITY_LIMITS_MAX,
  ended: 'removed_at',
  group: 'transaction',
  operations: ['list', 'fetch', 'create'],
  actions: {
    remove: {
      summary: 'Remove the limit',
      description:
        'The limit no longer applies. You cannot undo this. A removed limit does not change.',
    },
  },
  fields: {
    kind: {
      type: 'enum',
      values: velocityKinds,
      create: 'required',
      description:
        'The counted value: `card_declines` of a card, `card_amount` sent or approved on a card (refunds included), `payer_cards` of a payer, or `merchant_declines` of all payments. A payment beyond the limit fails as `velocity_exceeded` before it is sent.',
    },
    window_seconds: {
      type: 'integer',
      create: 'required',
      ...VELOCITY_WINDOW,
      description: 'Length of the time window, at most one day.',
    },
    max_count: {
      type: 'integer',
      create: 'required',
      min: 1,
      max: AMOUNT_MAX,
      description: 'The limit: a number of declines or cards, or minor units of `amount_currency`.',
    },
    amount_currency: {
      type: 'currency',
      create: 'optional',
      description: 'Required for `card_amount`. Payments in other currencies do not count.',
    },
    removed_at: { type: 'timestamp', description: 'Time of removal; null while it is active.' },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
  },
});
