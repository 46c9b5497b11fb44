import { badControl, noContent, notFound, type StandInAnswer } from '../../stand-in/answer.ts';
import type { ControlCall } from '../../stand-in/control.ts';
import { membersOf, textOf } from '../../stand-in/members.ts';
import type { AdyenServices } from '../call.ts';
import { createPspReference } from '../psp-reference.ts';
import { recordModificationMovement } from '../reports/record-movement.ts';
import { emitAdyenEvent } from './emit.ts';

/** Events of a payment that no request causes, with their success. */
const successByEvent: Readonly<Record<string, 'true' | 'false'>> = {
  OFFER_CLOSED: 'true',
  MANUAL_REVIEW_ACCEPT: 'true',
  MANUAL_REVIEW_REJECT: 'true',
  NOTIFICATION_OF_FRAUD: 'true',
  POSTPONED_REFUND: 'true',
  REFUNDED_REVERSED: 'true',
  AUTHORISATION_ADJUSTMENT: 'false',
};
const ownReference: readonly string[] = ['NOTIFICATION_OF_FRAUD', 'AUTHORISATION_ADJUSTMENT'];

/**
 * `POST /control/payments/{psp}/events {event, refund?, reason?}`: reports an event that no request causes.
 * `REFUNDED_REVERSED` names the psp reference of a refund, whose money comes back.
 */
export function postPaymentEvent(
  services: AdyenServices,
  { body }: ControlCall,
  psp: string,
): StandInAnswer {
  const payment = services.books.payments.find(psp);
  if (!payment) return notFound;
  const members = membersOf(body);
  const event = textOf(members.event) ?? '';
  const reason = textOf(members.reason);
  const success = Object.hasOwn(successByEvent, event) ? successByEvent[event] : undefined;
  if (!success)
    return badControl(`event must be one of ${Object.keys(successByEvent).join(', ')}.`);
  const refund =
    event === 'REFUNDED_REVERSED' ? takeBack(services, psp, members.refund) : undefined;
  if (typeof refund === 'string') return badControl(refund);
  const isFollowUp = refund !== undefined || ownReference.includes(event);
  emitAdyenEvent(services, {
    pspReference: refund?.psp ?? (isFollowUp ? createPspReference() : psp),
    ...(isFollowUp && { originalReference: psp }),
    merchantAccountCode: payment.account,
    merchantReference: refund?.reference ?? payment.reference,
    amount: { value: refund?.amount ?? payment.amount, currency: payment.currency },
    eventCode: event,
    success,
    ...(reason && { reason }),
    paymentMethod: payment.facts.card.brand,
  });
  return noContent;
}

/** Undoes a refund whose money came back. Returns a text if there is no such refund. */
function takeBack(services: AdyenServices, paymentPsp: string, refundPsp: unknown) {
  const { books } = services;
  const payment = books.payments.find(paymentPsp);
  const refund = books.modifications.find(String(refundPsp));
  const isRefund = refund?.payment === paymentPsp && refund.kind === 'refund';
  if (!payment || !isRefund || refund.state !== 'succeeded')
    return 'refund must be the psp reference of a successful refund of the payment.';
  const reversed = { ...refund, state: 'failed' } as const;
  books.modifications.update(refund.psp, reversed);
  recordModificationMovement(services, reversed, payment);
  return refund;
}
