import type { AdyenServices } from '../call.ts';
import type { AdyenPayment, Modification, ModificationKind } from '../records.ts';
import { refusalReasonOf } from '../refusal-reasons.ts';
import { additionalDataOf } from '../render-payment.ts';
import { emitAdyenEvent } from './emit.ts';

/** Reports the decision about a payment. Nothing is decided while the customer is asked. */
export function emitAuthorisation(services: AdyenServices, payment: AdyenPayment): void {
  const { facts, psp, account, reference, currency, amount } = payment;
  const { card, decision } = facts;
  if (decision.resultCode === 'Received' || decision.resultCode === 'RedirectShopper') return;
  const isApproved = payment.status === 'authorised';
  const { cardHolderName: _, ...additionalData } = additionalDataOf(payment);
  emitAdyenEvent(services, {
    pspReference: psp,
    merchantAccountCode: account,
    merchantReference: reference,
    amount: { value: amount, currency },
    eventCode: 'AUTHORISATION',
    success: isApproved ? 'true' : 'false',
    paymentMethod: card.brand,
    reason: isApproved
      ? `${decision.authCode}:${card.last4}:${card.expiryMonth}/${card.expiryYear}`
      : refusalReasonOf(decision.reasonCode ?? ''),
    ...(isApproved && { operations: ['CANCEL', 'CAPTURE', 'REFUND'] }),
    additionalData: {
      ...additionalData,
      ...(facts.merchantOrderReference && {
        merchantOrderReference: facts.merchantOrderReference,
      }),
    },
  });
}

/** Reports that the rest of an approval has lapsed. `value` is in Adyen's minor units. */
export const emitExpiry = (
  services: AdyenServices,
  { psp, account, reference, currency, facts }: AdyenPayment,
  value: number,
): void =>
  emitAdyenEvent(services, {
    pspReference: psp,
    originalReference: psp,
    merchantAccountCode: account,
    merchantReference: reference,
    amount: { value, currency },
    eventCode: 'EXPIRE',
    success: 'true',
    paymentMethod: facts.card.brand,
  });

const codesByKind = {
  capture: 'CAPTURE',
  cancel: 'CANCELLATION',
  technical_cancel: 'TECHNICAL_CANCEL',
  refund: 'REFUND',
  reversal: 'CANCEL_OR_REFUND',
} as const satisfies Record<ModificationKind, string>;

/**
 * Reports the state of a modification. The event of a failure has the psp reference of the success, and is a success
 * itself. Automatic captures report only their failure.
 */
export function emitModification(
  services: AdyenServices,
  modification: Modification,
  payment: AdyenPayment | undefined,
): void {
  const { state, facts, kind } = modification;
  const isFailure = state === 'failed';
  if (facts.isAutomatic && !isFailure) return;
  const action = facts.action && { 'modification.action': facts.action };
  emitAdyenEvent(services, {
    pspReference: modification.psp,
    ...(payment && { originalReference: payment.psp }),
    merchantAccountCode: modification.account,
    merchantReference: merchantReferenceOf(modification, payment),
    amount: {
      value: modification.amount || (payment?.amount ?? 0),
      currency: payment?.currency ?? 'EUR',
    },
    eventCode: isFailure ? `${codesByKind[kind]}_FAILED` : codesByKind[kind],
    success: state === 'refused' ? 'false' : 'true',
    ...(facts.reason && { reason: facts.reason }),
    ...(isFailure && { reason: 'The scheme refused the transaction' }),
    ...(payment && { paymentMethod: payment.facts.card.brand }),
    ...(action && { additionalData: action }),
  });
}

/** Captures and refunds report their own reference. Others report the payment's if they have none. */
function merchantReferenceOf(
  { kind, reference, facts }: Modification,
  payment: AdyenPayment | undefined,
): string {
  if (kind === 'capture' || kind === 'refund') return reference ?? '';
  if (kind === 'technical_cancel') return facts.paymentReference ?? '';
  return reference ?? payment?.reference ?? '';
}
