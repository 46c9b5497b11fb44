import { statesOf } from '../machines/define-machine.ts';
import { paymentSubscriptionMachine } from '../machines/payment-subscription.ts';
import { defineResource, renamedField, timestamps } from './define-resource.ts';
import { authenticationFields, partyRelations, purchaseFields } from './purchase.ts';

/** Timestamp that only confirmed subscriptions have. Clients recognise intents by its absence. */
const confirmedTimestamp = { type: 'timestamp', absent_until: 'confirmed', opaque: true } as const;

/** Shortest and longest lifetime of a customer link, in seconds. */
const CUSTOMER_LINK_SECONDS_MIN = 60;
const CUSTOMER_LINK_SECONDS_MAX = 90 * 24 * 60 * 60;

/** Period that one charge pays for. Months are calendar months. */
export const billingPeriods = [
  'one_day',
  'seven_days',
  'fourteen_days',
  'thirty_days',
  'one_month',
  'three_months',
  'six_months',
  'twelve_months',
] as const;
export type BillingPeriod = (typeof billingPeriods)[number];

/** Party or reason that ended a subscription. */
export const endReasons = [
  'merchant',
  'customer',
  'unpaid',
  'first_charge_unpaid',
  'end_at',
  'charges_max',
] as const;
export type EndReason = (typeof endReasons)[number];

export const paymentSubscriptions = defineResource({
  type: 'payment_subscriptions',
  summary: 'A recurring payment, from its creation to its end',
  owner: 'mode',
  group: 'transaction',
  operations: ['list', 'fetch', 'create', 'update'],
  actions: {
    confirm: {
      summary: 'Confirm a subscription, or retry its last failed charge',
      description:
        'Confirms a complete intent and charges it at once, or at its anchor. The subscription is `active` when the charge succeeds. After a failed charge, confirm again: the same charge is retried with the current card.',
    },
    pause: {
      summary: 'Pause a subscription',
      description:
        'Pauses an `active` subscription. Charges that are due meanwhile are not billed, except for a charge that exists already. Retries of a failed charge wait.',
    },
    resume: {
      summary: 'Resume a subscription',
      description:
        'Resumes a `paused` subscription. The paid period continues. If another period started during the pause, the share of its rest is charged at once; billing times stay. A past due charge is retried at once.',
    },
    cancel: {
      summary: 'Cancel a subscription',
      description:
        'At once, from every state but `cancelled`. Nothing is given back; a refund is a request of its own.',
    },
    customer_link: {
      summary: 'Create a link to the customer’s page of a subscription',
      description:
        '`meta.customer_url` of the response is a page for the customer: receipts, and the actions that `customer_permissions` of the merchant allows. Anyone with the link can use it: give it to the customer only. The link is shown once.',
      fields: {
        expires_in_seconds: {
          type: 'integer',
          min: CUSTOMER_LINK_SECONDS_MIN,
          max: CUSTOMER_LINK_SECONDS_MAX,
          description: 'Lifetime in seconds; default one day, at most 90 days.',
        },
      },
    },
    revoke_customer_links: {
      summary: 'Revoke all links to the customer’s page',
      description: 'Ends all earlier links, those in emails too.',
    },
  },
  unlisted: { confirmed: 'false' },
  events: {
    scope: 'transaction.payment_subscriptions',
    slugs: [
      'created',
      'updated',
      'upcoming',
      'past_due',
      'recovered',
      'unpaid',
      'paused',
      'resumed',
      'cancelled',
    ],
  },
  fields: {
    status: {
      type: 'enum',
      values: statesOf(paymentSubscriptionMachine),
      always_set: true,
      description:
        '`pending` until the first charge succeeds, or its retries end. A subscription confirmed with its create is `active` at once. `paused` bills nothing, `cancelled` has ended.',
    },
    confirmed: {
      type: 'boolean',
      create: 'optional',
      default: false,
      always_set: true,
      description:
        '`true` confirms the subscription with its create, which then needs an idempotency key and everything that a confirmation needs. False in an intent, which lists leave out.',
    },
    failure_reason: {
      type: 'string',
      opaque: true,
      description: 'Decline code of the last charge; null if it succeeded.',
    },
    slug: {
      type: 'slug',
      create: 'optional',
      update: true,
      max: 100,
      description: 'Your name of the plan. Required for a confirmation.',
    },
    billing_period: {
      type: 'enum',
      values: billingPeriods,
      create: 'optional',
      update: true,
      description: 'Length of a period, in days or calendar months. Required for a confirmation.',
    },
    billing_timezone: {
      type: 'timezone',
      create: 'optional',
      update: true,
      default: 'UTC',
      opaque: true,
      description:
        'The zone of the calendar that billing times are reckoned in: a charge keeps its time of the day there when clocks change. Fixed once it is confirmed.',
    },
    billing_cycle_anchor_at: {
      type: 'timestamp',
      create: 'optional',
      update: true,
      opaque: true,
      description:
        'Start of the first full period; default: the confirmation, or the end of the trial. At most 10 years ahead; with `create_prorations` at most one billing period ahead.',
    },
    proration_behavior: {
      type: 'enum',
      values: ['none', 'create_prorations'],
      create: 'optional',
      update: true,
      default: 'none',
      opaque: true,
      description:
        'Charge for the time before an anchor in the future: `create_prorations` charges its share at once, `none` charges nothing. The first full period is due at the anchor.',
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
      description:
        'Time of the next charge; null in an intent and after cancellation. While `past_due_since` is set, the failed charge comes first.',
    },
    current_period_start_at: {
      type: 'timestamp',
      opaque: true,
      description: 'Start of the paid period.',
    },
    current_period_end_at: {
      type: 'timestamp',
      opaque: true,
      description: 'End of the paid period.',
    },
    trial_end_at: {
      type: 'timestamp',
      create: 'optional',
      update: true,
      opaque: true,
      description:
        'End of the trial. Nothing is charged before it; a confirmation makes the subscription active. At most 10 years ahead.',
    },
    canceled_at_period_end: {
      type: 'boolean',
      create: 'optional',
      update: true,
      default: false,
      opaque: true,
      description:
        'Whether the subscription ends at `next_billing_at` without another charge. The value can be reverted until then.',
    },
    end_at: {
      type: 'timestamp',
      create: 'optional',
      update: true,
      opaque: true,
      description:
        'Time at which it is cancelled automatically, after any trial. The current period is charged in full. At most 10 years ahead.',
    },
    charges_max: {
      type: 'integer',
      create: 'optional',
      update: true,
      min: 1,
      max: 10_000,
      opaque: true,
      description:
        'Maximum number of full periods. The subscription is cancelled when the last one ends.',
    },
    charges_count: {
      type: 'integer',
      default: 0,
      opaque: true,
      description:
        'Number of full periods that were charged or paid by credit. A period with a failed charge does not count until it is sent again.',
    },
    credit_cents: {
      type: 'integer',
      default: 0,
      opaque: true,
      description:
        'Credit in minor units, which reduces later charges; a change of the subscription created it. A negative credit is owed and is added to the next charge.',
    },
    past_due_since: {
      type: 'timestamp',
      description:
        'Time since which a renewal is past due; null otherwise. Nothing else is charged until it is paid or its retries end. `sort=past_due_since` lists the oldest first.',
    },
    ...renamedField('next_attempt_at', 'next_try_at', {
      type: 'timestamp',
      opaque: true,
      description:
        'Time of the next attempt to charge a past due amount. Null if an attempt cannot succeed before the card is changed.',
    }),
    dunning_ends_at: {
      type: 'timestamp',
      opaque: true,
      description:
        'Time at which the retries end and `dunning_final_action` of the merchant applies. A `pending` subscription ends then.',
    },
    subscription_notification_email: {
      type: 'email',
      create: 'optional',
      update: true,
      max: 254,
      opaque: true,
      description: 'Email for notices about the subscription; default: the payer’s.',
    },
    alert_receipt: {
      type: 'boolean',
      create: 'optional',
      update: true,
      default: true,
      opaque: true,
      description:
        'Whether the payer gets a notice one week before a charge. Periods under two weeks have none.',
    },
    canceled_at: {
      type: 'timestamp',
      opaque: true,
      description: 'Time of the cancellation; null until then.',
    },
    end_reason: {
      type: 'enum',
      values: endReasons,
      description:
        'Reason of the cancellation; null until then. `merchant` or `customer` requested it. `unpaid` and `first_charge_unpaid`: retries ended. `end_at` or `charges_max`: the limit was reached.',
    },
    last_processed_at: confirmedTimestamp,
    last_active_at: confirmedTimestamp,
    last_paused_at: confirmedTimestamp,
    ...timestamps,
  },
  meta: {
    customer_url: {
      type: 'url',
      shown_once: true,
      sensitive: true,
      description: 'The link that `customer_link` made.',
    },
  },
  relations: {
    ...partyRelations,
    payment_link: { to: 'payment_links', description: 'Its payment link.' },
    payment_demands: { to: 'payment_demands', many: true, inverse: 'payment_subscription' },
    subscription_periods: {
      to: 'subscription_periods',
      many: true,
      inverse: 'payment_subscription',
    },
  },
});
