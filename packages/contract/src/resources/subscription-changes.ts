import { AMOUNT_MAX } from '../risk/amounts.ts';
import { defineResource } from './define-resource.ts';
import { followUpFields } from './follow-up.ts';
import { billingPeriods } from './payment-subscriptions.ts';

export const subscriptionChanges = defineResource({
  type: 'subscription_changes',
  summary: 'A change of a subscription’s amount, period or card, and its price',
  owner: 'mode',
  group: 'transaction',
  operations: ['list', 'fetch', 'create'],
  fields: {
    dry_run: {
      type: 'boolean',
      create: 'optional',
      default: false,
      opaque: true,
      description: 'Whether to say what the change would cost, and change nothing.',
    },
    amount_cents: {
      type: 'integer',
      create: 'optional',
      min: 10,
      max: AMOUNT_MAX,
      opaque: true,
      description: 'What a period costs from then on, in minor units; as before if not set.',
    },
    billing_period: {
      type: 'enum',
      values: billingPeriods,
      create: 'optional',
      opaque: true,
      description: 'How long a period is from then on; as before if not set.',
    },
    proration_behavior: {
      type: 'enum',
      values: ['none', 'create_prorations'],
      create: 'optional',
      default: 'create_prorations',
      opaque: true,
      description:
        '`create_prorations`: from now on. What is left of the period that is paid for is set against what the new one costs until the same end; another `billing_period` begins now, or with the next charge where that of the change is given up and the subscription kept. `none`: from the next charge on, and nothing is set against anything.',
    },
    idempotency_key: followUpFields.idempotency_key,
    charged_cents: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description: 'Minor units that are charged at once.',
    },
    credit_cents: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description: 'The `credit_cents` of the subscription after it.',
    },
    next_amount_cents: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description: 'Minor units of the charge after that, its credit taken off; 0 where that pays.',
    },
    next_billing_at: {
      type: 'timestamp',
      opaque: true,
      description: 'When that is due.',
    },
    created_at: {
      type: 'timestamp',
      description: 'When it was asked for: what is left is reckoned from then.',
    },
  },
  relations: {
    merchant: { to: 'merchants' },
    payment_subscription: {
      to: 'payment_subscriptions',
      create: 'required',
      description: 'An `active` one that is not past due.',
    },
    payment_method: {
      to: 'payment_methods',
      create: 'optional',
      description: 'A saved card that pays from now on; as before if not set.',
    },
    payment_demand: { to: 'payment_demands', description: 'What is charged at once, if anything.' },
  },
});
