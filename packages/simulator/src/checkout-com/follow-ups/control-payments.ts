import { badControl, noContent, notFound, type StandInAnswer } from '../../stand-in/answer.ts';
import type { ControlCall } from '../../stand-in/control.ts';
import { isJsonObject, membersOf } from '../../stand-in/members.ts';
import type { CheckoutServices } from '../call.ts';
import type { ActionType } from '../records.ts';
import { finishAuthorization } from '../request-payment.ts';

const FAILED_CHALLENGE = '20151';
const FOLLOW_UP_TYPES: readonly string[] = [
  'Authorization',
  'Capture',
  'Void',
  'Refund',
] satisfies ActionType[];
const RESPONSE_CODE = /^[0-9A-Z]{5}$/;

/** `PUT /control/payments/{id}/outcomes {"Void": "20005"}`: response codes of later outcomes. */
export function putOutcomes(
  { books }: CheckoutServices,
  { body }: ControlCall,
  id: string,
): StandInAnswer {
  const payment = books.payments.find(id);
  if (!payment) return notFound;
  const areValid =
    isJsonObject(body) &&
    Object.entries(body).every(
      ([type, code]) => FOLLOW_UP_TYPES.includes(type) && RESPONSE_CODE.test(String(code)),
    );
  if (!areValid)
    return badControl('Name Authorization, Capture, Void or Refund with a response code.');
  const facts = { ...payment.facts, outcomes: body as Partial<Record<ActionType, string>> };
  books.payments.update({ ...payment, facts });
  return noContent;
}

/** `POST /control/payments/{id}/challenge {"passed": true}`: ends the hosted challenge. */
export function endChallenge(
  services: CheckoutServices,
  { body }: ControlCall,
  id: string,
): StandInAnswer {
  const payment = services.books.payments.find(id);
  const { passed } = membersOf(body);
  if (payment?.status !== 'Pending' || !payment.facts.afterChallenge) return notFound;
  if (typeof passed !== 'boolean') return badControl('passed must be true or false.');
  const { amount } = payment;
  const failed = { status: 'Declined', code: FAILED_CHALLENGE, amount } as const;
  const decision = passed ? payment.facts.afterChallenge : failed;
  finishAuthorization(services, payment, decision, services.now());
  return noContent;
}
