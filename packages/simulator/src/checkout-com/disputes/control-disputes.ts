import { badControl, noContent, notFound, type StandInAnswer } from '../../stand-in/answer.ts';
import type { ControlCall, ControlRoute } from '../../stand-in/control.ts';
import { DURATION_MS_MAX, isDuration } from '../../stand-in/durations.ts';
import { type JsonMembers, membersOf, textOf } from '../../stand-in/members.ts';
import type { CheckoutServices } from '../call.ts';
import { isKnownCurrency } from '../money-rules.ts';
import { type DisputeOrder, emitDisputeEvent, moveDispute, openDispute } from './change-dispute.ts';
import { canBecome, type DisputeCategory, disputeStatuses, evidenceByCategory } from './states.ts';

const REASON_CODE_DEFAULT = '10.4';
const REASON_CODE = /^[\w.]{1,10}$/;

/** Operations that payers, issuers and schemes cause. */
export const disputeControlRoutes: readonly ControlRoute<CheckoutServices>[] = [
  { method: 'POST', path: /^\/payments\/(\w+)\/disputes$/, run: postDispute },
  { method: 'POST', path: /^\/disputes\/(\w+)\/status$/, run: postStatus },
  { method: 'POST', path: /^\/disputes\/(\w+)\/acknowledgement$/, run: postAcknowledgement },
];

/** `POST /control/payments/{id}/disputes {amount?, currency?, category?, reason_code?, evidence_ms?}`. */
function postDispute(services: CheckoutServices, { body }: ControlCall, id: string): StandInAnswer {
  const payment = services.books.payments.find(id);
  if (!payment) return notFound;
  const order = parseDisputeOrder(membersOf(body));
  if (typeof order === 'string') return badControl(order);
  return { status: 201, body: { id: openDispute(services, payment, order).id } };
}

function parseDisputeOrder(members: JsonMembers): DisputeOrder | string {
  const { amount, currency, evidence_ms } = members;
  const { category = 'fraudulent', reason_code = REASON_CODE_DEFAULT } = members;
  if (!(String(category) in evidenceByCategory))
    return `category must be one of ${Object.keys(evidenceByCategory).join(', ')}.`;
  if (!REASON_CODE.test(String(reason_code))) return 'reason_code must be at most 10 characters.';
  if (amount !== undefined && !Number.isSafeInteger(amount)) return 'amount must be minor units.';
  if (currency !== undefined && !isKnownCurrency(String(currency)))
    return 'currency must be a code of ISO 4217.';
  if (evidence_ms !== undefined && !isDuration(evidence_ms))
    return `evidence_ms must be milliseconds from 0 to ${DURATION_MS_MAX}.`;
  return {
    category: category as DisputeCategory,
    reasonCode: String(reason_code),
    ...(amount !== undefined && { amount: Number(amount) }),
    ...(currency !== undefined && { currency: String(currency) }),
    ...(evidence_ms !== undefined && { evidenceMs: evidence_ms }),
  };
}

/** `POST /control/disputes/{id}/status {status, resolved_reason?}`: changes that the merchant cannot make. */
function postStatus(services: CheckoutServices, { body }: ControlCall, id: string): StandInAnswer {
  const dispute = services.books.disputes.find(id);
  if (!dispute) return notFound;
  const { status, resolved_reason } = membersOf(body);
  const next = disputeStatuses.find((known) => known === status);
  if (!next || !canBecome(dispute.status, next))
    return badControl(`A dispute in status ${dispute.status} cannot get this status.`);
  const resolvedReason = textOf(resolved_reason);
  moveDispute(services, dispute, next, { ...(resolvedReason && { facts: { resolvedReason } }) });
  return noContent;
}

/** `POST /control/disputes/{id}/acknowledgement`: the scheme says that it has the evidence. */
function postAcknowledgement(
  services: CheckoutServices,
  _: ControlCall,
  id: string,
): StandInAnswer {
  const dispute = services.books.disputes.find(id);
  if (dispute?.status !== 'evidence_under_review') return notFound;
  emitDisputeEvent(services, dispute, 'dispute_evidence_acknowledged_by_scheme');
  return noContent;
}
