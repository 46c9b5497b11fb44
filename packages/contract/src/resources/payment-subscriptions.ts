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
    confirm: {
      summary: 'Confirm a subscription, or retry its last failed charge',
      description:
        'An intent that lacks nothing becomes a subscription and is charged for the first time, at once or as its anchor says. It is `active` when that succeeded. After a failed charge the same charge is tried again, with the card that the subscription has now.',
    },
    pause: {
      summary: 'Stop billing until it is resumed',
      description:
        'Of an `active` subscription. What falls due while it is `paused` is not billed.',
    },
    resume: {
      summary: 'Bill again from the next period on',
      description:
        'Of a `paused` subscription, which is `active` then. `next_billing_at` is moved ahead where it has passed.',
    },
    cancel: {
      summary: 'End a subscription for good',
      description:
        'At once, from every state but `cancelled`. Nothing is given back; a refund is a request of its own.',
    },
  },
  unlisted: { confirmed: 'false' },
  events: { scope: 'transaction.payment_subscriptions', slugs: ['created', 'updated'] },
  fields: {
    status: {
      type: 'enum',
      values: statesOf(paymentSubscriptionMachine),
      always_set: true,
      description:
        '`pending` until its first charge succeeds, `paused` bills nothing, `cancelled` is the end.',
    },
    confirmed: {
      type: 'boolean',
      create: 'optional',
      default: false,
      always_set: true,
      description:
        '`true` confirms the subscription with its create, which then needs an idempotency key and all that a confirmation needs. False in an intent, which lists leave out.',
    },
    failure_reason: {
      type: 'string',
      opaque: true,
      description: 'Why its last charge failed: a decline code; null where it succeeded.',
    },
    slug: {
      type: 'slug',
      create: 'optional',
      update: true,
      max: 100,
      description: 'The merchant’s name of the plan; needed to confirm.',
    },
    billing_period: {
      type: 'enum',
      values: billingPeriods,
      create: 'optional',
      update: true,
      description:
        'How much time one charge pays for, in days or in months of the calendar; needed to confirm.',
    },
    billing_cycle_anchor_at: {
      type: 'timestamp',
      create: 'optional',
      update: true,
      opaque: true,
      description:
        'From when billing periods are counted; the time of the confirmation, or the end of the trial, where it is not set. At most 10 years from now; with `create_prorations` at most one billing period ahead.',
    },
    proration_behavior: {
      type: 'enum',
      values: ['none', 'create_prorations'],
      create: 'optional',
      update: true,
      default: 'none',
      opaque: true,
      description:
        'With an anchor ahead: `create_prorations` charges the share of a period until then at once, `none` charges nothing before the anchor. The first full period is due at the anchor, also where the share is paid later.',
    },
    billing_scheme: {
      type: 'enum',
      values: ['per_unit'],
      default: 'per_unit',
      opaque: true,
      description: 'One price for each period.',
    },
    ...purchaseFields,
    ...authenticationFields,
    next_billing_at: {
      type: 'timestamp',
      description: 'When the next charge is due; null in an intent. Renewals are not charged yet.',
    },
    current_period_start_at: {
      type: 'timestamp',
      opaque: true,
      description: 'From when the period that is paid for runs.',
    },
    current_period_end_at: {
      type: 'timestamp',
      opaque: true,
      description: 'Until when the period that is paid for runs.',
    },
    trial_end_at: {
      type: 'timestamp',
      create: 'optional',
      update: true,
      opaque: true,
      description:
        'Nothing is charged before it: a confirmation makes the subscription active, and its first charge is due then. At most 10 years from now.',
    },
    canceled_at_period_end: {
      type: 'boolean',
      create: 'optional',
      update: true,
      default: false,
      opaque: true,
      description:
        'That the subscription is to end with the period that is paid for. Kept for the renewals, which are not charged yet; it cancels nothing by itself.',
    },
    subscription_notification_email: {
      type: 'email',
      create: 'optional',
      update: true,
      max: 254,
      opaque: true,
      description: 'Where notices about the subscription go, where not to the payer.',
    },
    alert_receipt: {
      type: 'boolean',
      create: 'optional',
      update: true,
      default: true,
      opaque: true,
      description: 'Whether the payer wants to be told before a charge. Kept; nothing is sent yet.',
    },
    canceled_at: {
      type: 'timestamp',
      opaque: true,
      description: 'When it was cancelled; null until then.',
    },
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
