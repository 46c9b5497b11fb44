import { declineCodes } from '../decline-codes.ts';
import { statesOf } from '../machines/define-machine.ts';
import { paymentDemandActions, paymentDemandMachine } from '../machines/payment-demand.ts';
import { riskOutcome } from '../risk/outcome.ts';
import { billingReasons } from './billing-reasons.ts';
import { defineResource, timestamps } from './define-resource.ts';
import { metadata } from './metadata.ts';
import { authenticationFields, partyRelations, purchaseFields } from './purchase.ts';

const state = {
  type: 'enum',
  values: statesOf(paymentDemandMachine),
  column: 'status',
  always_set: true,
  description:
    'State of the payment. `incomplete` and `ready` are intents: they can change, and `ready` can be confirmed. `pending` is confirmed, `processing` was sent. `authorised` is held on the card. `succeeded`, `failed` and `canceled` are outcomes. `disputed` has an open dispute. `reversed`: lost disputes, with refunds, have used the complete amount. A payment that is only refunded stays `succeeded`: see `amount_refunded_cents`. `processor_state` and `status` are the same.',
} as const;

export const paymentDemands = defineResource({
  type: 'payment_demands',
  summary: 'A payment, from its creation to its outcome',
  owner: 'mode',
  group: 'transaction',
  operations: ['list', 'fetch', 'create', 'update'],
  actions: {
    confirm: {
      summary: 'Confirm a payment',
      description:
        'Needs a complete `incomplete` or `ready` payment, or retries a `failed` one. The response is `pending`. The outcome follows in an event and in `status`. A 422 lists everything that is missing.',
    },
    cancel: {
      summary: 'Cancel the payment',
      description:
        'Needs the status `incomplete` or `ready`. The payment becomes `canceled`. You cannot undo this.',
    },
    void: {
      summary: 'Void the authorisation',
      description:
        'Needs the status `authorised`. The payment becomes `canceled` when the network releases the hold. Nothing is charged. If a part was captured, the rest lapses, and the payment is `succeeded` with that part. To capture the payment, create a `capture_demands` record.',
    },
  },
  events: {
    scope: 'transaction.payment_demands',
    slugs: ['created', 'updated', 'succeeded', 'failed', 'refunded', 'disputed'],
  },
  fields: {
    processor_state: state,
    status: state,
    failure_reason: {
      type: 'string',
      description: `Why it failed, a decline code: \`${Object.keys(declineCodes).join('`, `')}\`. More may come. Null where it has not failed.`,
    },
    confirmed: {
      type: 'boolean',
      create: 'optional',
      default: false,
      always_set: true,
      description:
        '`true` also confirms the payment, which then needs everything that a confirmation needs. Default: `false`.',
    },
    amount_refunded_cents: {
      type: 'integer',
      default: 0,
      opaque: true,
      description: 'Refunded minor units, without refunds in progress.',
    },
    amount_authorised_cents: {
      type: 'integer',
      default: 0,
      opaque: true,
      description: 'Minor units that the bank approved; 0 until then.',
    },
    amount_captured_cents: {
      type: 'integer',
      default: 0,
      opaque: true,
      description:
        'Minor units that were captured, by one capture or several. An `authorised` payment can still capture `amount_capturable_cents`.',
    },
    amount_capturable_cents: {
      type: 'integer',
      column: 'amount_authorised_cents',
      default: 0,
      opaque: true,
      less: 'amount_captured_cents',
      zero_unless: { column: 'status', values: ['authorised'] },
      description:
        'Minor units of the hold that can still be captured: the authorised amount less captures. 0 in every state but `authorised`.',
    },
    amount_refundable_cents: {
      type: 'integer',
      default: 0,
      opaque: true,
      zero_unless: { column: 'status', values: ['succeeded'] },
      description:
        'Minor units that can still be refunded. For a `succeeded` payment: the captured amount less refunds, refunds in progress and lost disputes. 0 in every other state.',
    },
    hold_expires_at: {
      type: 'timestamp',
      opaque: true,
      description:
        'Time at which the hold of an `authorised` payment lapses, seven days after the approval; null without a hold. The payment is then `canceled`, or `succeeded` if a part was captured.',
    },
    cancellation_reason: {
      type: 'enum',
      values: ['requested', 'hold_expired', 'paid_by_credit'],
      opaque: true,
      description:
        'Reason of the cancellation: `hold_expired`, `requested`, or `paid_by_credit` for a failed charge of a subscription whose period was paid by credit.',
    },
    canceled_at: {
      type: 'timestamp',
      opaque: true,
      description: 'Time of the cancellation; null until then.',
    },
    capture_method: {
      type: 'enum',
      values: ['automatic', 'manual'],
      create: 'optional',
      default: 'automatic',
      always_set: true,
      description:
        '`automatic` captures the amount with the authorisation. `manual` only holds the amount. One or several `capture_demands` records capture it later.',
    },
    initiator: {
      type: 'enum',
      values: ['customer', 'merchant'],
      create: 'optional',
      default: 'customer',
      opaque: true,
      description:
        'The party that starts the payment. `merchant` charges a saved card without its customer, 3-D Secure or security code. The payer must have made a payment with the card before, otherwise 422 `card_not_used_before`. Florin sends the network’s id of that payment.',
    },
    sales_channel: {
      type: 'enum',
      values: ['online', 'telephone'],
      create: 'optional',
      default: 'online',
      opaque: true,
      description:
        'The way the order came. `telephone`: the payer said or wrote the card to you, so no 3-D Secure is possible. Processors get such a payment as mail order or telephone order (MOTO), which your account must allow. Ignored for charges by the merchant.',
    },
    ...purchaseFields,
    ...authenticationFields,
    billing_reason: {
      type: 'enum',
      values: billingReasons,
      opaque: true,
      description:
        'Reason of a subscription’s charge: `first`, `proration` for the time before the first full period, `renewal`, or `change`. Null for other payments.',
    },
    period_start_at: {
      type: 'timestamp',
      opaque: true,
      description: 'Start of the period that a subscription’s charge pays for.',
    },
    period_end_at: {
      type: 'timestamp',
      opaque: true,
      description: 'End of that period.',
    },
    risk_outcome: riskOutcome,
    succeeded_at: {
      type: 'timestamp',
      description: 'Time of success; null until then.',
    },
    metadata: { ...metadata, update: true },
    ...timestamps,
  },
  meta: {
    allowed_actions: {
      type: 'strings',
      column: 'status',
      shows: paymentDemandActions,
      unless_zero: { refund: 'amount_refundable_cents' },
      description:
        'Actions that the state allows. `capture` and `refund` are creates of `capture_demands` and `refund_demands`.',
    },
    outcome: {
      type: 'enum',
      values: ['unknown'],
      description:
        '`unknown` while the network’s response to the payment is missing. Florin finds it out.',
    },
    since: {
      type: 'timestamp',
      column: 'outcome_since',
      description: 'Time since which the outcome is unknown.',
    },
  },
  relations: {
    ...partyRelations,
    payment_subscription: { to: 'payment_subscriptions' },
    payment_link: {
      to: 'payment_links',
      description: 'Payment link of the payment. For a subscription its first charge has it.',
    },
    capture_demands: { to: 'capture_demands', many: true, inverse: 'payment_demand' },
    disputes: { to: 'disputes', many: true, inverse: 'payment_demand' },
    payment_attempts: {
      to: 'payment_attempts',
      many: true,
      inverse: 'payment_demand',
      description:
        'Messages to the processor: authorisations, captures and refunds, one for each attempt.',
    },
    refund_demands: { to: 'refund_demands', many: true, inverse: 'payment_demand' },
  },
});
