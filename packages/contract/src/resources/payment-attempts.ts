import { attemptMachine } from '../machines/attempt.ts';
import { statesOf } from '../machines/define-machine.ts';
import { defineResource, timestamps } from './define-resource.ts';

export const paymentAttempts = defineResource({
  type: 'payment_attempts',
  table: 'attempts',
  summary: 'One message to a processor about a payment, and its outcome',
  owner: 'mode',
  group: 'transaction',
  operations: ['list', 'fetch'],
  fields: {
    operation: {
      type: 'enum',
      values: ['authorise', 'capture', 'refund'],
      always_set: true,
      opaque: true,
      description: 'What the message asks the processor for.',
    },
    status: {
      type: 'enum',
      values: statesOf(attemptMachine),
      always_set: true,
      description:
        '`sending` is stored before the message leaves. `approved` and `declined` are the processor’s answers. `unknown` has no answer: the processor is being asked for it. `not_sent` never left this server. `reversing` is being undone at the processor, and `reversed` was undone there: nothing is charged.',
    },
    processor: {
      type: 'string',
      always_set: true,
      opaque: true,
      description:
        'Name of the processor. It knows an authorisation by the id of its attempt, and a capture or refund by the id of its demand.',
    },
    amount_cents: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description: 'Minor units that were asked for, above 0.',
    },
    amount_currency: { type: 'currency', always_set: true, opaque: true },
    amount_approved_cents: {
      type: 'integer',
      column: 'approved_cents',
      opaque: true,
      description:
        'Minor units of an approval for less than was asked for, which is reversed. Null for every other attempt.',
    },
    failure_reason: {
      type: 'string',
      column: 'decline_code',
      opaque: true,
      description:
        'Why it was declined or reversed, in the words of `failure_reason` of the payment, capture or refund. Null otherwise.',
    },
    authorisation_code: {
      type: 'string',
      opaque: true,
      description: 'Approval code of the payer’s bank. Null unless an authorisation was approved.',
    },
    network_transaction_eid: {
      type: 'string',
      column: 'network_transaction_id',
      opaque: true,
      description: 'The card network’s id of the approval. Null where there is none.',
    },
    inquiries_count: {
      type: 'integer',
      column: 'inquiries',
      default: 0,
      always_set: true,
      opaque: true,
      description: 'How often the processor was asked for a missing outcome.',
    },
    unknown_since: {
      type: 'timestamp',
      opaque: true,
      description:
        'When the answer was first missing. It stays set once the outcome is known; null where an answer came at once.',
    },
    resent_at: {
      type: 'timestamp',
      opaque: true,
      description:
        'When a capture or refund that the processor did not know was last sent again, under the same id.',
    },
    created_at: {
      ...timestamps.created_at,
      description: 'When it was stored, right before its message left.',
    },
    updated_at: {
      ...timestamps.updated_at,
      opaque: true,
      description:
        'When it last changed: of an approved or declined attempt, when its answer was stored.',
    },
  },
  relations: {
    merchant: { to: 'merchants' },
    payment_demand: { to: 'payment_demands', description: 'The payment that it is about.' },
    capture_demand: { to: 'capture_demands', description: 'The capture that it was made for.' },
    refund_demand: { to: 'refund_demands', description: 'The refund that it was made for.' },
    authorisation: {
      to: 'payment_attempts',
      description: 'The approved attempt that it captures or refunds.',
    },
    processor_detail: {
      to: 'processor_details',
      description:
        'How the merchant was known to the processor when the message was stored. Null where it had no such record, and for attempts that earlier versions stored.',
    },
  },
});
