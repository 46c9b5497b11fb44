import { isDeclinedCapture, isDeclinedRefund } from '../../faults.ts';
import { balancesOf } from '../balances.ts';
import type { CheckoutServices } from '../call.ts';
import { emitActionEvent, emitPaymentEvent } from '../events/emit.ts';
import type { StoredAction, StoredPayment } from '../records.ts';
import { timeText } from '../render-payment.ts';
import { finishChallenge } from '../request-payment.ts';

const APPROVED_OUTCOME = '10000';
const DECLINED_OUTCOME = '20005';
const CHALLENGE_EXPIRED = '20152';

/** Gives actions and payments their outcomes up to now, in the order of time. Runs inside a commit. */
export function settleDue(services: CheckoutServices): void {
  const { books, now } = services;
  const until = now();
  for (;;) {
    const [action] = books.actions.due(until, 1);
    const [payment] = books.payments.expired(until, 1);
    if (action && !(payment && payment.expiresAt < action.dueAt)) settleAction(services, action);
    else if (payment) expirePayment(services, payment);
    else return;
  }
}

/** Next time at which an action or a payment gets its outcome, in milliseconds since 1970. */
export function nextOutcomeAt({ books }: CheckoutServices): number | undefined {
  const times = [books.actions.nextDue(), books.payments.nextExpiry()];
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}

function settleAction(services: CheckoutServices, action: StoredAction): void {
  const { books } = services;
  const payment = books.payments.find(action.payment);
  if (!payment) throw new Error(`Action ${action.id} has no payment.`);
  const code = outcomeOf(payment, action);
  const state = code === APPROVED_OUTCOME ? 'approved' : 'declined';
  const facts = { ...action.facts, code };
  books.actions.settle(action.id, state, facts);
  if (action.type === 'Void' && state === 'approved')
    books.payments.update({ ...payment, status: 'Voided' });
  emitActionEvent(services, { ...action, state, facts });
}

/** Response code of an outcome: set by control, or selected by the amount. */
function outcomeOf({ facts }: StoredPayment, { type, amount }: StoredAction): string {
  const isDeclined =
    (type === 'Capture' && isDeclinedCapture(amount)) ||
    (type === 'Refund' && isDeclinedRefund(amount));
  return facts.outcomes?.[type] ?? (isDeclined ? DECLINED_OUTCOME : APPROVED_OUTCOME);
}

/** Ends an authorisation, or a payment whose hosted challenge nobody passed. */
function expirePayment(services: CheckoutServices, payment: StoredPayment): void {
  const { status, amount, expiresAt } = payment;
  if (status !== 'Pending') expireAuthorisation(services, payment);
  else
    finishChallenge(
      services,
      payment,
      { status: 'Declined', code: CHALLENGE_EXPIRED, amount },
      expiresAt,
    );
}

/** The event says that nothing can be captured any more. A payment with captures has none. */
function expireAuthorisation(services: CheckoutServices, payment: StoredPayment): void {
  const { books } = services;
  const { total_authorized, available_to_capture } = balancesOf(
    payment,
    books.actions.of(payment.id),
  );
  const expired: StoredPayment = { ...payment, status: 'Expired' };
  books.payments.update(expired);
  if (available_to_capture < total_authorized) return;
  const processed_on = timeText(payment.expiresAt);
  emitPaymentEvent(services, expired, 'payment_expired', { processed_on });
}
