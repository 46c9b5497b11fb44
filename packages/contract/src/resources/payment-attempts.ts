import { declineAdvices } from '../decline-codes.ts';
import { attemptMachine } from '../machines/attempt.ts';
import { statesOf } from '../machines/define-machine.ts';
import { routeRefusals } from '../route-refusals.ts';
import { defineResource, timestamps } from './define-resource.ts';
import { checkFields } from './purchase.ts';

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
      description: 'Kind of the message to the processor.',
    },
    status: {
      type: 'enum',
      values: statesOf(attemptMachine),
      always_set: true,
      description:
        '`sending` is stored before the message leaves. `approved` and `declined` are responses. `unknown` has no response yet, and Florin asks for it. `not_sent` never left the server. `reversing` and `reversed` are undone at the processor: nothing is charged. `abandoned` was never found there, so the payment failed; a late approval is reversed.',
    },
    processor: {
      type: 'string',
      always_set: true,
      opaque: true,
      description:
        'Name of the processor. The processor knows an authorisation by the id of its attempt, and a capture or refund by the id of its demand.',
    },
    processor_reference: {
      type: 'string',
      opaque: true,
      description:
        'The processor’s own reference of the message. Null until the processor names one.',
    },
    amount_cents: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description: 'Requested amount in minor units, above 0.',
    },
    amount_currency: { type: 'currency', always_set: true, opaque: true },
    amount_approved_cents: {
      type: 'integer',
      column: 'approved_cents',
      opaque: true,
      description:
        'Minor units of a partial approval, which is reversed. Null for every other attempt.',
    },
    failure_reason: {
      type: 'string',
      column: 'decline_code',
      opaque: true,
      description:
        'Reason of a decline or reversal, as in `failure_reason` of the payment, capture or refund. Null otherwise.',
    },
    ...checkFields,
    advice: {
      type: 'enum',
      values: declineAdvices,
      opaque: true,
      description:
        'Advice of the processor about a decline. `final`: do not try the card again. `try_later`, `try_another_processor`: the same card may succeed. `authenticate`: the issuer wants 3-D Secure. `update_card`: the payer corrects the card’s details, or uses another card. Null without advice.',
    },
    codes: {
      type: 'metadata',
      opaque: true,
      description:
        'Raw codes of the processor, by its own names, for questions to its support. Do not show them to payers. Null for the simulated network.',
    },
    route: {
      type: 'object',
      opaque: true,
      members: {
        rule: { type: 'string', description: 'Name of the rule that decided. Null without one.' },
        account: { type: 'string', description: 'Name of the account that got the message.' },
        candidates: {
          type: 'strings',
          description: 'Ids of the accounts that could take the payment, in order.',
        },
        refused: {
          type: 'objects',
          members: {
            account: { type: 'string', description: 'Id of the account.' },
            why: { type: 'enum', values: routeRefusals },
          },
          description: 'Accounts that could not take the payment.',
        },
        fallback: {
          type: 'enum',
          values: ['none', 'not_sent', 'declined'],
          description: 'Outcomes of this account after which the second one may be asked.',
        },
        after: {
          type: 'object',
          members: {
            attempt: { type: 'uuid' },
            account: { type: 'string' },
            name: { type: 'string' },
            result: { type: 'enum', values: ['not_sent', 'declined'] },
            why: { type: 'string' },
          },
          description:
            'Attempt whose outcome led to this second account: its id, the id and name of its account, and the reason. With the reason `no_free_slot` nothing was sent to the first account, and `attempt` is null. Absent for the first account.',
        },
      },
      description:
        'Choice of the processor account for an authorisation. Null for captures, refunds and the simulated network.',
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
      description: 'Number of inquiries about a missing outcome.',
    },
    unknown_since: {
      type: 'timestamp',
      opaque: true,
      description:
        'Time at which the outcome became unknown, also after it is known. Null if the response came at once.',
    },
    resent_at: {
      type: 'timestamp',
      opaque: true,
      description:
        'Time at which a capture or refund that the processor did not know was last resent under the same id.',
    },
    created_at: {
      ...timestamps.created_at,
      description: 'Time of storage, right before the message left.',
    },
    updated_at: {
      ...timestamps.updated_at,
      opaque: true,
      description:
        'Time of the last change, for an approved or declined attempt the time of the response.',
    },
  },
  relations: {
    merchant: { to: 'merchants' },
    payment_demand: { to: 'payment_demands', unchecked: true, description: 'Its payment.' },
    capture_demand: { to: 'capture_demands', description: 'Its capture.' },
    refund_demand: { to: 'refund_demands', description: 'Its refund.' },
    authorisation: {
      to: 'payment_attempts',
      description: 'The approved attempt that it captures or refunds.',
    },
    processor_detail: {
      to: 'processor_details',
      unchecked: true,
      description:
        'The merchant’s record at the processor when the message was stored. Null if there was none.',
    },
  },
});
