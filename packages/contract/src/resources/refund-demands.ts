import { statesOf } from '../machines/define-machine.ts';
import { refundDemandMachine } from '../machines/refund-demand.ts';
import { defineResource, timestamps } from './define-resource.ts';

const state = { type: 'enum', values: statesOf(refundDemandMachine), column: 'status' } as const;

export const refundDemands = defineResource({
  type: 'refund_demands',
  summary: 'Money of a payment that goes back to its payer',
  owner: 'mode',
  group: 'transaction',
  operations: ['list', 'fetch', 'create'],
  events: {
    scope: 'transaction.refund_demands',
    slugs: ['created', 'updated', 'succeeded', 'failed'],
  },
  fields: {
    state,
    status: state,
    reason: {
      type: 'enum',
      values: [
        'service_not_delivered',
        'duplicate_charge',
        'unauthorized_transaction',
        'technical_issue',
        'customer_canceled',
        'dissatisfied_experience',
        'compliance_issue',
        'custom',
      ],
      create: 'required',
    },
    reason_note: { type: 'string', create: 'optional', max: 500, opaque: true },
    amount_cents: { type: 'integer', create: 'optional', min: 1 },
    amount_currency: { type: 'currency', create: 'optional' },
    idempotency_key: { type: 'string', create: 'optional', max: 255 },
    failure_reason: { type: 'string', opaque: true },
    succeeded_at: { type: 'timestamp' },
    ...timestamps,
  },
  meta: {
    outcome: { type: 'enum', values: ['unknown'] },
    since: { type: 'timestamp', column: 'outcome_since' },
  },
  relations: {
    merchant: { to: 'merchants' },
    payment_demand: { to: 'payment_demands', create: 'required' },
  },
});
