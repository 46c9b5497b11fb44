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
      description: 'From when it runs. No subscription has two that begin at the same time.',
    },
    end_at: {
      type: 'timestamp',
      always_set: true,
      opaque: true,
      description: 'Until when it runs. One that was not charged may stand for several in a row.',
    },
    amount_cents: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description:
        'What it costs, in minor units, by the price of when it is paid; its charge is less where there was credit.',
    },
    skip_reason: {
      type: 'enum',
      values: skipReasons,
      opaque: true,
      description:
        'Why it was not charged; null where it was. `credit` paid for it, it was `missed` while nothing was billed, or the subscription was `paused`. Of one that is `unpaid` the charge was given up, also because the subscription ended, or that of the one before was failing when it began.',
    },
    created_at: { type: 'timestamp', description: 'When that was decided.' },
  },
  relations: {
    merchant: { to: 'merchants' },
    payment_subscription: { to: 'payment_subscriptions' },
    payment_demand: { to: 'payment_demands', description: 'Its charge.' },
  },
});
