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
      description: 'Whether to calculate the price only, without a change.',
    },
    amount_cents: {
      type: 'integer',
      create: 'optional',
      min: 10,
      max: AMOUNT_MAX,
      opaque: true,
      description: 'New price of a period in minor units; default: unchanged.',
    },
    billing_period: {
      type: 'enum',
      values: billingPeriods,
      create: 'optional',
      opaque: true,
      description: 'New length of a period; default: unchanged.',
    },
    proration_behavior: {
      type: 'enum',
      values: ['none', 'create_prorations'],
      create: 'optional',
      default: 'create_prorations',
      opaque: true,
      description:
        '`create_prorations` changes now: the rest of the paid period is set against its new price until the same end, and another `billing_period` starts now. `none` changes from the next charge on, without a proration.',
    },
    idempotency_key: followUpFields.idempotency_key,
    charged_cents: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description: 'Minor units to charge at once.',
    },
    credit_cents: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description: '`credit_cents` of the subscription after the change.',
    },
    next_amount_cents: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description: 'Minor units of the next charge less credit.',
    },
    next_billing_at: {
      type: 'timestamp',
      opaque: true,
      description: 'Time of the next charge.',
    },
    created_at: {
      type: 'timestamp',
      description: 'Time of the request, from which the rest of the period is calculated.',
    },
  },
  relations: {
    merchant: { to: 'merchants' },
    payment_subscription: {
      to: 'payment_subscriptions',
      create: 'required',
      description: 'Subscription to change, which must be `active` and not past due.',
    },
    payment_method: {
      to: 'payment_methods',
      create: 'optional',
      description: 'Saved card for later charges; default: unchanged.',
    },
    payment_demand: {
      to: 'payment_demands',
      description: 'Payment for the change, if there is one.',
    },
  },
});
