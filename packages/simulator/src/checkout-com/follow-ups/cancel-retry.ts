import { notAllowed, type StandInAnswer } from '../../stand-in/answer.ts';
import type { CheckoutCall, CheckoutServices } from '../call.ts';
import { emitPaymentEvent } from '../events/emit.ts';
import { createId } from '../ids.ts';
import type { StoredPayment } from '../records.ts';
import type { FollowUpOrder } from './parse-order.ts';
import { receiptOf, withFollowUp } from './receipt.ts';

/** `POST /payments/{id}/cancellations`: ends the retries that Checkout.com has scheduled. */
export const cancelScheduledRetry = (
  services: CheckoutServices,
  call: CheckoutCall,
): StandInAnswer =>
  withFollowUp(services, call, (payment, order) =>
    payment.status === 'Retry Scheduled'
      ? { status: 202, body: cancelRetry(services, call, payment, order) }
      : notAllowed,
  );

/** Cancels the retries of a payment, and returns the receipt. */
export function cancelRetry(
  services: CheckoutServices,
  { base }: CheckoutCall,
  payment: StoredPayment,
  { reference }: FollowUpOrder,
): object {
  const canceled: StoredPayment = { ...payment, status: 'Canceled' };
  services.books.payments.update(canceled);
  const id = createId('act');
  const members = { action_id: id, ...(reference && { reference }) };
  emitPaymentEvent(services, canceled, 'payment_canceled', members);
  return receiptOf({ id, payment: payment.id, reference: reference ?? null }, base);
}
