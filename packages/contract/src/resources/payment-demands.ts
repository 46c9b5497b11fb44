import { statesOf } from '../machines/define-machine.ts';
import { paymentDemandMachine } from '../machines/payment-demand.ts';
import { defineResource, timestamps } from './define-resource.ts';
import { authenticationFields, partyRelations, purchaseFields } from './purchase.ts';

const state = { type: 'enum', values: statesOf(paymentDemandMachine), column: 'status' } as const;

export const paymentDemands = defineResource({
  type: 'payment_demands',
  summary: 'A payment, from the first intent to its outcome',
  owner: 'mode',
  group: 'transaction',
  operations: ['list', 'fetch', 'create', 'update'],
  actions: { confirm: { summary: 'Confirm a payment demand as ready for processing' } },
  events: {
    scope: 'transaction.payment_demands',
    slugs: ['created', 'updated', 'succeeded', 'failed', 'refunded', 'disputed'],
  },
  fields: {
    processor_state: state,
    status: state,
    failure_reason: { type: 'string' },
    confirmed: { type: 'boolean', create: 'optional', default: false },
    amount_refunded_cents: { type: 'integer', default: 0, opaque: true },
    capture_method: {
      type: 'enum',
      values: ['automatic', 'manual'],
      create: 'optional',
      default: 'automatic',
    },
    ...purchaseFields,
    ...authenticationFields,
    succeeded_at: { type: 'timestamp' },
    ...timestamps,
  },
  meta: {
    outcome: { type: 'enum', values: ['unknown'] },
    since: { type: 'timestamp', column: 'outcome_since' },
  },
  relations: {
    ...partyRelations,
    payment_subscription: { to: 'payment_subscriptions' },
    refund_demands: { to: 'refund_demands', many: true, inverse: 'payment_demand' },
  },
});
