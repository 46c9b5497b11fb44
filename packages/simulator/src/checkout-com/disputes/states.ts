/** Statuses of a dispute. `expired`: nobody sent evidence in time, which is lost. */
export const disputeStatuses = [
  'evidence_required',
  'evidence_under_review',
  'accepted',
  'resolved',
  'won',
  'lost',
  'canceled',
  'expired',
  'arbitration_under_review',
  'arb_evidence_submitted',
  'arbitration_won',
  'arbitration_lost',
] as const;

export type DisputeStatus = (typeof disputeStatuses)[number];

/** Statuses that each status may change to. Won disputes can go into a second round, the arbitration. */
const successors: Readonly<Partial<Record<DisputeStatus, readonly DisputeStatus[]>>> = {
  evidence_required: [
    'evidence_under_review',
    'accepted',
    'resolved',
    'won',
    'lost',
    'canceled',
    'expired',
  ],
  evidence_under_review: ['resolved', 'won', 'lost', 'canceled'],
  won: ['arbitration_under_review'],
  arbitration_under_review: ['arb_evidence_submitted', 'arbitration_won', 'arbitration_lost'],
  arb_evidence_submitted: ['arbitration_won', 'arbitration_lost'],
};

export const canBecome = (status: DisputeStatus, next: DisputeStatus): boolean =>
  successors[status]?.includes(next) ?? false;

/** Event of a dispute that reaches a status. Steps of the arbitration before its end have none. */
export const eventByStatus: Readonly<Partial<Record<DisputeStatus, string>>> = {
  evidence_required: 'dispute_evidence_required',
  evidence_under_review: 'dispute_evidence_submitted',
  accepted: 'dispute_accepted',
  resolved: 'dispute_resolved',
  won: 'dispute_won',
  lost: 'dispute_lost',
  canceled: 'dispute_canceled',
  expired: 'dispute_expired',
  arbitration_won: 'dispute_arbitration_won',
  arbitration_lost: 'dispute_arbitration_lost',
};

/** Kinds of evidence, each with a file and a text. */
export const evidenceKinds = [
  'proof_of_delivery_or_service',
  'invoice_or_receipt',
  'invoice_showing_distinct_transactions',
  'customer_communication',
  'refund_or_cancellation_policy',
  'recurring_transaction_agreement',
  'additional_evidence',
] as const;

type EvidenceKind = (typeof evidenceKinds)[number];

const general: readonly EvidenceKind[] = ['customer_communication', 'additional_evidence'];

/** Categories of disputes with the evidence that helps. */
export const evidenceByCategory = {
  fraudulent: ['proof_of_delivery_or_service', 'invoice_or_receipt', ...general],
  unrecognized: ['proof_of_delivery_or_service', 'invoice_or_receipt', ...general],
  canceled_recurring: [
    'refund_or_cancellation_policy',
    'recurring_transaction_agreement',
    ...general,
  ],
  product_service_not_received: ['proof_of_delivery_or_service', ...general],
  not_as_described: ['invoice_or_receipt', 'refund_or_cancellation_policy', ...general],
  credit_not_issued: ['refund_or_cancellation_policy', ...general],
  duplicate: ['invoice_showing_distinct_transactions', ...general],
  incorrect_amount: ['invoice_or_receipt', ...general],
  general,
} as const satisfies Readonly<Record<string, readonly EvidenceKind[]>>;

export type DisputeCategory = keyof typeof evidenceByCategory;
