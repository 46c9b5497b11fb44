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
        'An intent that lacks nothing becomes a subscription and is charged for the first time, at once or as its anchor says. It is `active` when that succeeded. After a failed charge the same charge is tried again, with the card that the subscription has now.',
    },
    pause: {
      summary: 'Stop billing until it is resumed',
      description:
        'Of an `active` subscription. What falls due while it is `paused` is not billed, but for a charge that is made already. A charge that keeps failing is neither tried again nor given up meanwhile.',
    },
    resume: {
      summary: 'Bill again',
      description:
        'Of a `paused` subscription, which is `active` then. The period that was paid for before goes on. Where another one began in the pause, what is left of the one that runs is charged at once, by its share of the price; billing times stay. A charge that keeps failing is tried at once, and for a day at least. One that was given up is owed again while its period runs.',
    },
    cancel: {
      summary: 'End a subscription for good',
      description:
        'At once, from every state but `cancelled`. Nothing is given back; a refund is a request of its own.',
    },
    customer_link: {
      summary: 'Make a link to the customer’s own page of a subscription',
      description:
        'The answer’s `meta.customer_url` is the address of a page where the customer sees the subscription and its receipts and does what `customers_may` of the merchant says. Whoever has it may do so: give it to the customer alone. It is shown this once and changes nothing of the record.',
      fields: {
        expires_in_seconds: {
          type: 'integer',
          min: CUSTOMER_LINK_SECONDS_MIN,
          max: CUSTOMER_LINK_SECONDS_MAX,
          description: 'How long it is good for; a day where it is not set, 90 days at most.',
        },
      },
    },
    revoke_customer_links: {
      summary: 'Revoke all links to the customer’s own page',
      description: 'All that were made before, those in letters too, open nothing any more.',
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
        '`pending` until its first charge succeeds, or for `dunning_days` of the merchant after it failed; one that is confirmed with its create is `active` at once, and past due where that charge fails. `paused` bills nothing, `cancelled` is the end.',
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
      description:
        'When the next charge is due; null in an intent, and once it is cancelled. While `past_due_since` is set, the charge that failed comes first.',
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
        'Nothing is charged before it: a confirmation makes the subscription active, and its first charge is due then. With an anchor before it, `create_prorations` charges then the share of the period that runs, `none` nothing before the next one. At most 10 years from now.',
    },
    canceled_at_period_end: {
      type: 'boolean',
      create: 'optional',
      update: true,
      default: false,
      opaque: true,
      description:
        'That it is to be cancelled at `next_billing_at` and not charged again. It can be taken back until then.',
    },
    end_at: {
      type: 'timestamp',
      create: 'optional',
      update: true,
      opaque: true,
      description:
        'When it is cancelled by itself, after any trial. The period that runs then was charged in full. At most 10 years from now.',
    },
    charges_max: {
      type: 'integer',
      create: 'optional',
      update: true,
      min: 1,
      max: 10_000,
      opaque: true,
      description: 'How many full periods are charged; it is cancelled when the last one is over.',
    },
    charges_count: {
      type: 'integer',
      default: 0,
      opaque: true,
      description:
        'How many full periods were charged by now, or paid from `credit_cents`; one whose charge has failed does not count until that is sent again.',
    },
    credit_cents: {
      type: 'integer',
      default: 0,
      opaque: true,
      description:
        'Minor units that later charges are less: what a change of the subscription left over. What a charge used of it comes back when that fails, and is used anew when it is sent again. Less than 0 is owed: under 10 is too little for a charge, and is added to the next one.',
    },
    past_due_since: {
      type: 'timestamp',
      description:
        'Since when the charge of a renewal keeps failing; null where it does not. Nothing else is charged until it is paid or given up. `sort=past_due_since` lists those that fail longest first.',
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
        'When a charge that keeps failing is given up, and what the merchant’s `dunning_final_action` says is done. One that is `pending` ends then.',
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
      description:
        'Whether the payer is told of a charge a week before it; of those of periods under two weeks nobody is told.',
    },
    canceled_at: {
      type: 'timestamp',
      opaque: true,
      description: 'When it was cancelled; null until then.',
    },
    end_reason: {
      type: 'enum',
      values: endReasons,
      description:
        'Why it was cancelled; null until then. `merchant` or `customer` asked for it, at once or with the period. `unpaid`: a charge was given up; `first_charge_unpaid`: nothing was ever paid. `end_at` had come, or the last of `charges_max` periods was over.',
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
    payment_link: { to: 'payment_links', description: 'The link that it was made over.' },
    payment_demands: { to: 'payment_demands', many: true, inverse: 'payment_subscription' },
    subscription_periods: {
      to: 'subscription_periods',
      many: true,
      inverse: 'payment_subscription',
    },
  },
});
