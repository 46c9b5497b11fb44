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
    '`incomplete` and `ready` are intents, which can be changed; `ready` has all that a confirmation needs. `pending` is confirmed, `processing` was sent, `succeeded` and `failed` are its outcomes. `authorised`, with `capture_method` `manual`, holds the amount on the card until it is captured, voided or lapses, which is `canceled`. `disputed` means that a dispute of it is open. `reversed` means that lost disputes and refunds leave nothing of it. `processor_state` and `status` are the same.',
} as const;

export const paymentDemands = defineResource({
  type: 'payment_demands',
  summary: 'A payment, from its creation to its outcome',
  owner: 'mode',
  group: 'transaction',
  operations: ['list', 'fetch', 'create', 'update'],
  actions: {
    confirm: {
      summary: 'Confirm a payment demand as ready for processing',
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
        'Needs the status `authorised`. The payment becomes `canceled` when the network releases the hold. Nothing is charged. To capture the payment, create a `capture_demands` record.',
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
      description: 'Minor units that refunds have given back; refunds under way are not counted.',
    },
    amount_authorised_cents: {
      type: 'integer',
      default: 0,
      opaque: true,
      description: 'Minor units that the bank has approved; 0 until it has.',
    },
    amount_captured_cents: {
      type: 'integer',
      default: 0,
      opaque: true,
      description: 'Minor units that were collected from the card.',
    },
    amount_refundable_cents: {
      type: 'integer',
      default: 0,
      opaque: true,
      zero_unless: { column: 'status', values: ['succeeded'] },
      description:
        'Minor units that can still be refunded: of a `succeeded` payment what was captured, less refunds that succeeded or are under way and disputes that were lost; 0 of any other, such as one that is `disputed`.',
    },
    hold_expires_at: {
      type: 'timestamp',
      opaque: true,
      description:
        'When an `authorised` payment lets go of its hold by itself, seven days after the approval; null without a hold.',
    },
    cancellation_reason: {
      type: 'enum',
      values: ['requested', 'hold_expired', 'paid_by_credit'],
      opaque: true,
      description:
        'Why it is `canceled`, or is going to be: a hold that lapsed, a request, or a failed charge of a subscription whose period its credit has paid.',
    },
    canceled_at: {
      type: 'timestamp',
      opaque: true,
      description: 'When it was canceled; null until then.',
    },
    capture_method: {
      type: 'enum',
      values: ['automatic', 'manual'],
      create: 'optional',
      default: 'automatic',
      always_set: true,
      description:
        '`automatic` captures the amount with the authorisation. `manual` only holds the amount. A `capture_demands` record captures it later.',
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
    ...purchaseFields,
    ...authenticationFields,
    billing_reason: {
      type: 'enum',
      values: billingReasons,
      opaque: true,
      description:
        'Of a charge of a subscription: its `first`, until one is paid; a `proration` for the time until its first full period; a `renewal`; or what a `change` of it costs at once.',
    },
    period_start_at: {
      type: 'timestamp',
      opaque: true,
      description: 'From when on the period runs that a charge of a subscription pays for.',
    },
    period_end_at: {
      type: 'timestamp',
      opaque: true,
      description: 'Until when that period runs.',
    },
    risk_outcome: riskOutcome,
    succeeded_at: {
      type: 'timestamp',
      description: 'When the payment succeeded; null until then.',
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
        'What can be asked of it in this state. `capture` and `refund` are creates of `capture_demands` and `refund_demands`.',
    },
    outcome: {
      type: 'enum',
      values: ['unknown'],
      description:
        'There while the network’s answer to the payment is missing; it is being asked for.',
    },
    since: {
      type: 'timestamp',
      column: 'outcome_since',
      description: 'Since when the outcome is unknown.',
    },
  },
  relations: {
    ...partyRelations,
    payment_subscription: { to: 'payment_subscriptions' },
    payment_link: {
      to: 'payment_links',
      description: 'The link that it was made over; of a subscription its first charge has it.',
    },
    capture_demands: { to: 'capture_demands', many: true, inverse: 'payment_demand' },
    disputes: { to: 'disputes', many: true, inverse: 'payment_demand' },
    payment_attempts: {
      to: 'payment_attempts',
      many: true,
      inverse: 'payment_demand',
      description:
        'The messages to its processor: its authorisations, captures and refunds, each time they were sent.',
    },
    refund_demands: { to: 'refund_demands', many: true, inverse: 'payment_demand' },
  },
});
