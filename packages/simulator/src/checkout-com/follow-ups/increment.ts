import { notAllowed, type StandInAnswer } from '../../stand-in/answer.ts';
import { balancesOf } from '../balances.ts';
import type { CheckoutCall, CheckoutServices } from '../call.ts';
import { emitActionEvent } from '../events/emit.ts';
import { bookAction } from '../finance/book-movements.ts';
import { createId } from '../ids.ts';
import type { StoredAction, StoredPayment } from '../records.ts';
import { renderIncrement } from '../render-payment.ts';
import type { FollowUpOrder } from './parse-order.ts';
import { withFollowUp } from './receipt.ts';

const APPROVED_INCREMENT = '10000';

/** `POST /payments/{id}/authorizations`: adds to an estimated authorisation, at once. Without amount renews it. */
export const incrementPayment = (services: CheckoutServices, call: CheckoutCall): StandInAnswer =>
  withFollowUp(services, call, (payment, order) => {
    const { books } = services;
    const { available_to_void } = balancesOf(payment, books.actions.of(payment.id));
    const isOpen = payment.status === 'Authorized' && available_to_void === payment.amount;
    if (!isOpen || payment.facts.authorizationType !== 'Estimated') return notAllowed;
    const action = incrementOf(services, payment, order);
    const isApproved = action.state === 'approved';
    const incremented = isApproved ? withIncrement(services, payment, action) : payment;
    books.payments.update(incremented);
    books.actions.insert(action);
    bookAction(services, incremented, action);
    emitActionEvent(
      services,
      action,
      `payment_authorization_increment${isApproved ? 'ed' : '_declined'}`,
    );
    const balances = balancesOf(incremented, books.actions.of(payment.id));
    return { status: 201, body: renderIncrement(incremented, action, balances, call.base) };
  });

/** Control sets the response code of an increment; all others are approved. */
function incrementOf(
  { now }: CheckoutServices,
  { id, facts }: StoredPayment,
  { amount = 0, reference, metadata }: FollowUpOrder,
): StoredAction {
  const code = facts.outcomes?.Authorization ?? APPROVED_INCREMENT;
  return {
    id: createId('act'),
    payment: id,
    type: 'Authorization',
    amount,
    reference: reference ?? null,
    state: code === APPROVED_INCREMENT ? 'approved' : 'declined',
    requestedAt: now(),
    dueAt: now(),
    facts: { code, authorizationType: 'Incremental', ...(metadata && { metadata }) },
  };
}

function withIncrement(
  { books, now }: CheckoutServices,
  payment: StoredPayment,
  { amount }: StoredAction,
): StoredPayment {
  const settings = books.accounts.find(payment.channel)?.settings;
  return {
    ...payment,
    amount: payment.amount + amount,
    expiresAt: now() + (settings?.authorisation_ms ?? 0),
  };
}
