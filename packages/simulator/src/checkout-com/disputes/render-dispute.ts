import type { StoredPayment } from '../records.ts';
import { type LinkBase, timeText } from '../render-payment.ts';
import type { StoredDispute } from './dispute-books.ts';
import { evidenceByCategory } from './states.ts';

const MERCHANT_CATEGORY = '5999';
const ARN_PREFIX = '7';
const ARN_DIGITS = 23;

/** Acquirer reference number of a payment: 23 digits, always the same for one payment. */
export const arnOf = ({ id }: Pick<StoredPayment, 'id'>): string =>
  ARN_PREFIX +
  BigInt(`0x${Buffer.from(id).toString('hex')}`)
    .toString()
    .slice(1 - ARN_DIGITS);

/** One dispute of a list. */
export function renderDisputeSummary(
  dispute: StoredDispute,
  payment: StoredPayment,
  base: LinkBase,
): Record<string, unknown> {
  return {
    ...commonMembers(dispute),
    payment_id: payment.id,
    ...(dispute.reference && { payment_reference: dispute.reference }),
    payment_arn: arnOf(payment),
    payment_mcc: MERCHANT_CATEGORY,
    payment_method: payment.facts.source.scheme,
    _links: { self: { href: `${base}/disputes/${dispute.id}` } },
  };
}

/** Body of `GET /disputes/{id}`. */
export function renderDispute(
  dispute: StoredDispute,
  payment: StoredPayment,
  facts: { readonly actionId: string | undefined; readonly hasRefund: boolean },
  base: LinkBase,
): Record<string, unknown> {
  const { resolvedReason, category } = dispute.facts;
  const self = `${base}/disputes/${dispute.id}`;
  return {
    ...commonMembers(dispute),
    ...(resolvedReason && { resolved_reason: resolvedReason }),
    relevant_evidence: evidenceByCategory[category],
    payment: {
      id: payment.id,
      ...(facts.actionId && { action_id: facts.actionId }),
      processing_channel_id: payment.channel,
      amount: payment.amount,
      currency: payment.currency,
      method: payment.facts.source.scheme,
      arn: arnOf(payment),
      mcc: MERCHANT_CATEGORY,
      ...(payment.facts.eci && { eci: payment.facts.eci }),
      has_refund: facts.hasRefund,
      processed_on: timeText(payment.requestedAt),
    },
    _links: { self: { href: self }, evidence: { href: `${self}/evidence` } },
  };
}

/** Data of an event of a dispute. */
export const disputeEventData = (dispute: StoredDispute, payment: StoredPayment) => ({
  ...commonMembers(dispute),
  ...(dispute.facts.resolvedReason && { resolved_reason: dispute.facts.resolvedReason }),
  date: timeText(dispute.updatedAt),
  payment_id: payment.id,
  ...(dispute.reference && { payment_reference: dispute.reference }),
  payment_arn: arnOf(payment),
  payment_method: payment.facts.source.scheme,
});

const commonMembers = ({ facts, ...dispute }: StoredDispute) => ({
  id: dispute.id,
  category: facts.category,
  status: dispute.status,
  amount: dispute.amount,
  currency: dispute.currency,
  reason_code: facts.reasonCode,
  evidence_required_by: timeText(dispute.requiredBy),
  received_on: timeText(dispute.receivedAt),
  last_update: timeText(dispute.updatedAt),
});
