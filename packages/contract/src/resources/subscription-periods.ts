import { defineResource } from './define-resource.ts';

/** Why a period is not charged. */
export const skipReasons = ['credit', 'missed', 'paused', 'unpaid'] as const;
export type SkipReason = (typeof skipReasons)[number];

export const subscriptionPeriods = defineResource({
  type: 'subscription_periods',
  summary: 'A period of a subscription, with its charge',
  owner: 'mode',
  group: 'transaction',
  operations: ['list', 'fetch'],
  fields: {
    start_at: {
      type: 'timestamp',
      always_set: true,
      opaque: true,
      description: 'Start of the period.',
    },
    end_at: {
      type: 'timestamp',
      always_set: true,
      opaque: true,
      description: 'End of the period. A period without a charge can stand for several in a row.',
    },
    amount_cents: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description: 'Price in minor units when it is paid. Credit can reduce the charge.',
    },
    skip_reason: {
      type: 'enum',
      values: skipReasons,
      opaque: true,
      description:
        'Reason why it was not charged; null if it was. `credit` paid for it, it was `missed`, the subscription was `paused`, or the charge stayed `unpaid`.',
    },
    created_at: { type: 'timestamp', description: 'Time of that decision.' },
  },
  relations: {
    merchant: { to: 'merchants' },
    payment_subscription: { to: 'payment_subscriptions' },
    payment_demand: { to: 'payment_demands', description: 'Payment of the period.' },
  },
});
