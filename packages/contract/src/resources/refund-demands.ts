import { statesOf } from '../machines/define-machine.ts';
import { followUpMachine } from '../machines/follow-up.ts';
import { AMOUNT_MAX } from '../risk/amounts.ts';
import { defineResource, timestamps } from './define-resource.ts';
import { followUpFields, followUpMeta } from './follow-up.ts';

const state = {
  type: 'enum',
  values: statesOf(followUpMachine),
  column: 'status',
  always_set: true,
  description:
    '`pending` has reserved its amount, `processing` was sent. `failed` releases the amount. `state` and `status` are the same.',
} as const;

export const refundDemands = defineResource({
  type: 'refund_demands',
  summary: 'The refund of a payment to the payer',
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
      description: 'Reason for the refund.',
    },
    reason_note: {
      type: 'string',
      create: 'optional',
      max: 500,
      opaque: true,
      description: 'Free text about the reason.',
    },
    amount_cents: {
      type: 'integer',
      create: 'optional',
      min: 1,
      max: AMOUNT_MAX,
      description:
        'Minor units in the payment’s currency; default: the refundable rest of the payment.',
    },
    ...followUpFields,
    idempotency_key: {
      ...followUpFields.idempotency_key,
      description:
        'Makes a repeat safe: the same key with the same refund is done once. With another payment, amount, reason or note the answer is 422 `refund_key_reused`. Unique per type.',
    },
    failure_reason: {
      type: 'string',
      opaque: true,
      description:
        'Reason of a failure: `refund_declined` by the bank or the network, `processor_unreachable`, or `payment_disputed`. Null otherwise.',
    },
    succeeded_at: { type: 'timestamp', description: 'Time of success; null until then.' },
    ...timestamps,
  },
  meta: followUpMeta,
  relations: {
    merchant: { to: 'merchants' },
    payment_demand: { to: 'payment_demands', create: 'required' },
  },
});
