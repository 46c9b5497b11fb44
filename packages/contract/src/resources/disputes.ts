import { statesOf } from '../machines/define-machine.ts';
import { disputeActions, disputeMachine } from '../machines/dispute.ts';
import { defineResource, type Field, timestamps } from './define-resource.ts';

const statementField = (description: string) =>
  ({ type: 'string', update: true, max: 20_000, opaque: true, description }) as const;

/** Fields of the evidence that a merchant may send to the bank. */
const evidence = {
  product_description: statementField('What was sold.'),
  customer_communication: statementField('What the payer wrote, and was answered.'),
  shipping_documentation: statementField(
    'That it was sent and has arrived: carrier, number, times.',
  ),
  refund_policy: statementField('What the payer had agreed to.'),
  uncategorized_text: statementField(
    'Anything else. In the sandbox a dispute whose evidence has the words `losing_evidence` in it is lost; any other is won.',
  ),
} as const satisfies Record<string, Field>;

export const disputes = defineResource({
  type: 'disputes',
  summary: 'A payment that its payer wants back through the bank',
  owner: 'mode',
  group: 'transaction',
  operations: ['list', 'fetch', 'update'],
  actions: {
    submit: {
      summary: 'Send the evidence to the bank',
      description:
        'Of a dispute that `needs_response`, once, with what was written into it by then; 422 where that is nothing. It is `under_review` until the bank has decided.',
    },
    accept: {
      summary: 'Let the payer have the money',
      description: 'Of a dispute that `needs_response`. It is `lost` as soon as the bank knows.',
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
        '`needs_response` until evidence is submitted or the dispute is accepted; without either by `evidence_due_at` it counts as accepted.',
    },
    reason: {
      type: 'enum',
      values: ['fraudulent', 'product_not_received', 'duplicate', 'unrecognized', 'general'],
      always_set: true,
      description: 'Why the payer wants it back, as the bank says.',
    },
    amount_cents: {
      type: 'integer',
      always_set: true,
      description: 'Minor units that are disputed. They are held back until the bank has decided.',
    },
    amount_currency: { type: 'currency', always_set: true },
    evidence_due_at: {
      type: 'timestamp',
      always_set: true,
      description: 'Until when evidence can be submitted.',
    },
    submitted_at: { type: 'timestamp', opaque: true, description: 'When evidence was submitted.' },
    closed_at: { type: 'timestamp', opaque: true, description: 'When the bank had decided.' },
    ...evidence,
    ...timestamps,
  },
  meta: {
    allowed_actions: {
      type: 'strings',
      column: 'status',
      shows: disputeActions,
      description: 'What can be asked of it in this state, until `evidence_due_at`.',
    },
  },
  relations: {
    merchant: { to: 'merchants' },
    payment_demand: { to: 'payment_demands' },
  },
});

export const evidenceFields = Object.keys(evidence);
