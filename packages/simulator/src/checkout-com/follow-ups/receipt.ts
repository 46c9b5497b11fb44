import { notFound, type StandInAnswer } from '../../stand-in/answer.ts';
import { isJsonObject } from '../../stand-in/members.ts';
import { invalid, malformed } from '../answer.ts';
import { type CheckoutCall, type CheckoutServices, findPayment } from '../call.ts';
import type { StoredAction, StoredPayment } from '../records.ts';
import { type FollowUpOrder, parseFollowUpOrder } from './parse-order.ts';

/** Body of the 202 response to a follow-up. */
export const receiptOf = (
  { id, payment, reference }: Pick<StoredAction, 'id' | 'payment' | 'reference'>,
  base: string,
) => ({
  action_id: id,
  ...(reference && { reference }),
  _links: { payment: { href: `${base}/payments/${payment}` } },
});

/** Runs a follow-up with its parsed order. Answers 404, 400 or 422 if payment or order are wrong. */
export function withFollowUp(
  services: CheckoutServices,
  call: CheckoutCall,
  run: (payment: StoredPayment, order: FollowUpOrder) => StandInAnswer,
): StandInAnswer {
  const payment = findPayment(services, call, call.parts[0]);
  if (!payment) return notFound;
  const { body = {} } = call;
  if (!isJsonObject(body)) return malformed;
  const order = parseFollowUpOrder(body, payment);
  return 'length' in order ? invalid(order) : run(payment, order);
}
