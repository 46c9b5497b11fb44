import { AMOUNT_MAX } from '../risk/amounts.ts';
import { VELOCITY_LIMITS_MAX, VELOCITY_WINDOW, velocityKinds } from '../risk/velocity.ts';
import { defineResource, timestamps } from './define-resource.ts';

export const velocityLimits = defineResource({
  type: 'velocity_limits',
  summary: 'How much may happen in a while before payments are refused',
  owner: 'mode',
  few: VELOCITY_LIMITS_MAX,
  ended: 'removed_at',
  group: 'transaction',
  operations: ['list', 'fetch', 'create'],
  actions: {
    remove: {
      summary: 'Count no more',
      description: 'The limit counts no more, for good. One that was removed stays as it is.',
    },
  },
  fields: {
    kind: {
      type: 'enum',
      values: velocityKinds,
      create: 'required',
      description:
        'What is counted: `card_declines` of one card, `card_amount` that was sent or approved on one card, what was refunded of it included, `payer_cards` that one payer has tried, `merchant_declines` of all payments. A payment that would go beyond fails as `velocity_exceeded` and is not sent.',
    },
    window_seconds: {
      type: 'integer',
      create: 'required',
      ...VELOCITY_WINDOW,
      description: 'How far back is counted, up to a day.',
    },
    max_count: {
      type: 'integer',
      create: 'required',
      min: 1,
      max: AMOUNT_MAX,
      description:
        'The most that there may be: declines after which nothing is sent, cards, or minor units of `amount_currency`.',
    },
    amount_currency: {
      type: 'currency',
      create: 'optional',
      description: 'Of `card_amount`, which needs it: payments in other currencies do not count.',
    },
    removed_at: { type: 'timestamp', description: 'When it was removed; null while it counts.' },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
  },
});
