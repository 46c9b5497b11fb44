import { declineCodes } from '../decline-codes.ts';
import { statesOf } from '../machines/define-machine.ts';
import { paymentDemandMachine } from '../machines/payment-demand.ts';
import { defineResource, timestamps } from './define-resource.ts';
import { authenticationFields, partyRelations, purchaseFields } from './purchase.ts';

const state = {
  type: 'enum',
  values: statesOf(paymentDemandMachine),
  column: 'status',
  always_set: true,
  description:
    '`incomplete` and `ready` are intents, which can be changed; `ready` has all that a confirmation needs. `pending` is confirmed, `processing` was sent, `succeeded` and `failed` are its outcomes. `processor_state` and `status` are the same.',
} as const;

export const paymentDemands = defineResource({
  type: 'payment_demands',
  summary: 'A payment, from the first intent to its outcome',
  owner: 'mode',
  group: 'transaction',
  operations: ['list', 'fetch', 'create', 'update'],
  actions: {
    confirm: {
      summary: 'Confirm a payment demand as ready for processing',
      description:
        'Of an `incomplete` or `ready` intent that has all it needs, or of a `failed` payment, which is tried again. The answer is `pending`; the outcome comes a moment later, in an event and in `status`. 422 lists each thing that is missing.',
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
        '`true` confirms the payment with its create; it then needs all that a confirmation needs. False in an intent.',
    },
    amount_refunded_cents: {
      type: 'integer',
      default: 0,
      opaque: true,
      description: 'Minor units that refunds have given back; refunds under way are not counted.',
    },
    capture_method: {
      type: 'enum',
      values: ['automatic'],
      create: 'optional',
      default: 'automatic',
      always_set: true,
      description:
        'When the amount is collected: with the authorisation. Holds that are collected later are not available yet.',
    },
    ...purchaseFields,
    ...authenticationFields,
    succeeded_at: {
      type: 'timestamp',
      description: 'When the payment succeeded; null until then.',
    },
    ...timestamps,
  },
  meta: {
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
    refund_demands: { to: 'refund_demands', many: true, inverse: 'payment_demand' },
  },
});
