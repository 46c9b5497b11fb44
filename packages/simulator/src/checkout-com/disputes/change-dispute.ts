import type { CheckoutServices } from '../call.ts';
import { emitCheckoutEvent } from '../events/emit.ts';
import { bookDispute } from '../finance/book-movements.ts';
import { createId } from '../ids.ts';
import type { StoredPayment } from '../records.ts';
import type { DisputeFacts, StoredDispute } from './dispute-books.ts';
import { disputeEventData } from './render-dispute.ts';
import { type DisputeCategory, type DisputeStatus, eventByStatus } from './states.ts';

/** Time for evidence, if control sets no other. */
const EVIDENCE_MS_DEFAULT = 14 * 24 * 60 * 60_000;

/** Dispute that a payer opens. Absent members have the payment's values. */
export interface DisputeOrder {
  /** Minor units; may be negative, and may differ from the payment's amount. */
  readonly amount?: number;
  readonly currency?: string;
  readonly category: DisputeCategory;
  readonly reasonCode: string;
  /** Milliseconds for evidence. */
  readonly evidenceMs?: number;
}

/** Opens a dispute, and emits its first events. Runs inside a commit. */
export function openDispute(
  services: CheckoutServices,
  payment: StoredPayment,
  order: DisputeOrder,
  receivedAt = services.now(),
): StoredDispute {
  const { category, reasonCode, evidenceMs = EVIDENCE_MS_DEFAULT } = order;
  const dispute: StoredDispute = {
    id: createId('dsp'),
    payment: payment.id,
    channel: payment.channel,
    reference: payment.reference,
    amount: order.amount ?? payment.amount,
    currency: order.currency ?? payment.currency,
    status: 'evidence_required',
    receivedAt,
    requiredBy: receivedAt + evidenceMs,
    updatedAt: receivedAt,
    facts: { category, reasonCode },
  };
  services.books.disputes.insert(dispute);
  bookDispute(services, dispute);
  emitDisputeEvent(services, dispute, 'dispute_received');
  emitStatusEvent(services, dispute);
  return dispute;
}

/** Gives a dispute another status, and emits its event. Runs inside a commit. */
export function moveDispute(
  services: CheckoutServices,
  dispute: StoredDispute,
  status: DisputeStatus,
  {
    facts,
    at = services.now(),
  }: { readonly facts?: Partial<DisputeFacts>; readonly at?: number } = {},
): void {
  const moved: StoredDispute = {
    ...dispute,
    status,
    updatedAt: at,
    facts: { ...dispute.facts, ...facts },
  };
  services.books.disputes.update(moved);
  bookDispute(services, moved);
  emitStatusEvent(services, moved);
}

function emitStatusEvent(services: CheckoutServices, dispute: StoredDispute): void {
  const type = eventByStatus[dispute.status];
  if (type !== undefined) emitDisputeEvent(services, dispute, type);
}

/** Emits an event of a dispute. Faults select it by the payment's reference, or its id. */
export function emitDisputeEvent(
  services: CheckoutServices,
  dispute: StoredDispute,
  type: string,
): void {
  const payment = services.books.payments.find(dispute.payment);
  if (!payment) return;
  const subject = payment.reference ?? payment.id;
  emitCheckoutEvent(
    services,
    { channel: dispute.channel, subject },
    { type, data: disputeEventData(dispute, payment), path: `/disputes/${dispute.id}` },
  );
}
