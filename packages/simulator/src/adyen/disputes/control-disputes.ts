import { badControl, notFound, type StandInAnswer } from '../../stand-in/answer.ts';
import type { ControlCall } from '../../stand-in/control.ts';
import { membersOf, wholeNumberOf } from '../../stand-in/members.ts';
import type { AdyenServices } from '../call.ts';
import { adyenBalancesOf } from '../modifications/balances.ts';
import { advanceAdyenDispute, openAdyenDispute } from './advance-dispute.ts';
import { adyenDisputeStatuses, isDisputeEventCode } from './dispute-stages.ts';

/**
 * `POST /control/payments/{psp}/disputes {amount?, events?}`: opens a dispute of a captured payment. `events` are the
 * codes to report; default: announcement and chargeback.
 */
export function postDispute(
  services: AdyenServices,
  { body }: ControlCall,
  psp: string,
): StandInAnswer {
  const payment = services.books.payments.find(psp);
  if (!payment) return notFound;
  const { captured } = adyenBalancesOf(services.books.modifications.of(psp));
  const { amount = captured, events } = membersOf(body);
  const units = wholeNumberOf(amount) ?? 0;
  if (units < 1 || units > captured)
    return badControl(`amount must be from 1 to the captured amount, ${captured}.`);
  if (events !== undefined && !(Array.isArray(events) && events.every(isDisputeEventCode)))
    return badControl('events must be codes of events of disputes.');
  const dispute = openAdyenDispute(services, payment, units, events);
  return { status: 201, body: { psp: dispute.psp } };
}

/** `POST /control/disputes/{psp}/events {event, status?}`: takes a dispute to another stage. */
export function postDisputeEvent(
  services: AdyenServices,
  { body }: ControlCall,
  psp: string,
): StandInAnswer {
  const dispute = services.books.disputes.find(psp);
  const payment = dispute && services.books.payments.find(dispute.payment);
  if (!dispute || !payment) return notFound;
  const { event, status: wanted } = membersOf(body);
  if (!isDisputeEventCode(event))
    return badControl('event must be a code of an event of disputes.');
  const status = adyenDisputeStatuses.find((known) => known === wanted);
  if (wanted !== undefined && !status)
    return badControl(`status must be one of ${adyenDisputeStatuses.join(', ')}.`);
  advanceAdyenDispute(services, dispute, payment, { eventCode: event, ...(status && { status }) });
  return { status: 200, body: { psp, status: services.books.disputes.find(psp)?.status } };
}
