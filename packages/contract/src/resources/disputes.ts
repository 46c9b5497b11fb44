import { statesOf } from '../machines/define-machine.ts';
import { disputeActions, disputeMachine } from '../machines/dispute.ts';
import { defineResource, type Field, timestamps } from './define-resource.ts';

const statementField = (description: string) =>
  ({ type: 'string', update: true, max: 20_000, opaque: true, description }) as const;

/** Fields of the evidence that a merchant may send to the bank. */
const evidence = {
  product_description: statementField('The sold goods or services.'),
  customer_communication: statementField('Messages between you and the payer.'),
  shipping_documentation: statementField(
    'Proof of shipping and delivery: carrier, tracking number, times.',
  ),
  refund_policy: statementField('The refund policy that the payer accepted.'),
  uncategorized_text: statementField(
    'Other evidence. In the sandbox, a dispute whose evidence contains `losing_evidence` is lost. Any other dispute is won.',
  ),
} as const satisfies Record<string, Field>;

export const disputes = defineResource({
  type: 'disputes',
  summary: 'A payment that the payer disputes through the bank',
  owner: 'mode',
  group: 'transaction',
  operations: ['list', 'fetch', 'update'],
  actions: {
    submit: {
      summary: 'Submit the evidence to the bank',
      description:
        'Needs the status `needs_response` and some evidence: a text or a file, otherwise 422. You can submit once. The dispute is `under_review` until the bank decides.',
    },
    accept: {
      summary: 'Accept the dispute',
      description:
        'Needs the status `needs_response`. The dispute is `lost` as soon as the bank knows.',
    },
  },
  events: {
    scope: 'transaction.disputes',
    slugs: ['created', 'updated', 'won', 'lost'],
  },
  fields: {
    status: {
      type: 'enum',
      values: statesOf(disputeMachine),
      always_set: true,
      description:
        '`needs_response` until evidence is submitted or the dispute is accepted. Without either by `evidence_due_at`, the dispute counts as accepted.',
    },
    reason: {
      type: 'enum',
      values: ['fraudulent', 'product_not_received', 'duplicate', 'unrecognized', 'general'],
      always_set: true,
      description: 'Reason of the payer, as reported by the bank.',
    },
    amount_cents: {
      type: 'integer',
      always_set: true,
      description: 'Disputed amount in minor units, blocked until the bank decides.',
    },
    amount_currency: { type: 'currency', always_set: true },
    evidence_due_at: {
      type: 'timestamp',
      always_set: true,
      description: 'Deadline for evidence.',
    },
    response_problem: {
      type: 'string',
      opaque: true,
      description:
        'Why the processor refused the last response, and what to do; otherwise null. The dispute is `needs_response` again.',
    },
    submitted_at: {
      type: 'timestamp',
      opaque: true,
      description: 'Time of the submission; null until then.',
    },
    closed_at: {
      type: 'timestamp',
      opaque: true,
      description: 'Time of the bank’s latest decision; null until then.',
    },
    second_chargeback_at: {
      type: 'timestamp',
      opaque: true,
      description:
        'Time of a second chargeback: the bank took the money again after it had returned it. The dispute is `lost`. Null without one.',
    },
    ...evidence,
    ...timestamps,
  },
  meta: {
    allowed_actions: {
      type: 'strings',
      column: 'status',
      shows: disputeActions,
      description: 'Actions that the state allows, until `evidence_due_at`.',
    },
  },
  relations: {
    merchant: { to: 'merchants' },
    payment_demand: { to: 'payment_demands' },
  },
});

export const evidenceFields = Object.keys(evidence);
