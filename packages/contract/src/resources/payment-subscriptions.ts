import { statesOf } from '../machines/define-machine.ts';
import { paymentSubscriptionMachine } from '../machines/payment-subscription.ts';
import { defineResource, timestamps } from './define-resource.ts';
import { authenticationFields, partyRelations, purchaseFields } from './purchase.ts';

/** Clients tell a subscription from an intent by these being there. */
const lived = { type: 'timestamp', absent_until: 'confirmed', opaque: true } as const;

/** How much time one charge pays for. Months are those of the calendar. */
export const billingPeriods = [
  'one_day',
  'seven_days',
  'fourteen_days',
  'thirty_days',
  'one_month',
  'six_months',
  'twelve_months',
] as const;
export type BillingPeriod = (typeof billingPeriods)[number];

export const paymentSubscriptions = defineResource({
  type: 'payment_subscriptions',
  summary: 'A recurring payment, from the first intent to its end',
  owner: 'mode',
  group: 'transaction',
  operations: ['list', 'fetch', 'create', 'update'],
  actions: {
    confirm: { summary: 'Confirm a subscription, or retry its last failed charge' },
    pause: { summary: 'Stop billing until it is resumed' },
    resume: { summary: 'Bill again from the next period on' },
    cancel: { summary: 'End a subscription for good' },
  },
  unlisted: { confirmed: 'false' },
  events: { scope: 'transaction.payment_subscriptions', slugs: ['created', 'updated'] },
  fields: {
    status: { type: 'enum', values: statesOf(paymentSubscriptionMachine) },
    confirmed: { type: 'boolean', create: 'optional', default: false },
    failure_reason: { type: 'string', opaque: true },
    slug: { type: 'slug', create: 'optional', update: true, max: 100 },
    billing_period: {
      type: 'enum',
      values: billingPeriods,
      create: 'optional',
      update: true,
    },
    billing_cycle_anchor_at: { type: 'timestamp', create: 'optional', update: true, opaque: true },
    proration_behavior: {
      type: 'enum',
      values: ['none', 'create_prorations'],
      create: 'optional',
      update: true,
      default: 'none',
      opaque: true,
    },
    billing_scheme: { type: 'enum', values: ['per_unit'], default: 'per_unit', opaque: true },
    ...purchaseFields,
    ...authenticationFields,
    next_billing_at: { type: 'timestamp' },
    current_period_start_at: { type: 'timestamp', opaque: true },
    current_period_end_at: { type: 'timestamp', opaque: true },
    trial_end_at: { type: 'timestamp', create: 'optional', update: true, opaque: true },
    canceled_at_period_end: {
      type: 'boolean',
      create: 'optional',
      update: true,
      default: false,
      opaque: true,
    },
    subscription_notification_email: {
      type: 'email',
      create: 'optional',
      update: true,
      max: 254,
      opaque: true,
    },
    alert_receipt: {
      type: 'boolean',
      create: 'optional',
      update: true,
      default: true,
      opaque: true,
    },
    canceled_at: { type: 'timestamp', opaque: true },
    last_processed_at: lived,
    last_active_at: lived,
    last_paused_at: lived,
    ...timestamps,
  },
  relations: {
    ...partyRelations,
    payment_demands: { to: 'payment_demands', many: true, inverse: 'payment_subscription' },
  },
});
