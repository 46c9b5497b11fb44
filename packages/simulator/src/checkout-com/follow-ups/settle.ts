import { isDeclinedCapture, isDeclinedRefund, isDisputed } from '../../faults.ts';
import { balancesOf } from '../balances.ts';
import type { CheckoutServices } from '../call.ts';
import { moveDispute, openDispute } from '../disputes/change-dispute.ts';
import { emitActionEvent, emitPaymentEvent } from '../events/emit.ts';
import { bookAction } from '../finance/book-movements.ts';
import type { StoredAction, StoredPayment } from '../records.ts';
import { timeText } from '../render-payment.ts';
import { finishAuthorization } from '../request-payment.ts';

const APPROVED_OUTCOME = '10000';
const DECLINED_OUTCOME = '20005';
/** Dispute that the amount of a payment selects. */
const SANDBOX_DISPUTE = { category: 'fraudulent', reasonCode: '10.4' } as const;
const CHALLENGE_EXPIRED = '20152';

/** Gives actions, payments and disputes their outcomes up to now, in the order of time. Runs inside a commit. */
export function settleDue(services: CheckoutServices): void {
  for (;;) {
    const [first] = dueOutcomes(services).sort((one, other) => one.at - other.at);
    if (!first) return;
    first.settle();
  }
}

/** The first due outcome of each kind. The order of this list decides between equal times. */
function dueOutcomes(
  services: CheckoutServices,
): { readonly at: number; readonly settle: () => void }[] {
  const { books } = services;
  const until = services.now();
  return [
    ...books.actions.due(until, 1).map((action) => ({
      at: action.dueAt,
      settle: () => settleAction(services, action),
    })),
    ...books.payments.expired(until, 1).map((payment) => ({
      at: payment.expiresAt,
      settle: () => expirePayment(services, payment),
    })),
    ...books.disputes.overdue(until, 1).map((dispute) => ({
      at: dispute.requiredBy,
      settle: () => moveDispute(services, dispute, 'expired', { at: dispute.requiredBy }),
    })),
  ];
}

/** Next time at which anything gets its outcome, in milliseconds since 1970. */
export function nextOutcomeAt({ books }: CheckoutServices): number | undefined {
  const times = [
    books.actions.nextDue(),
    books.payments.nextExpiry(),
    books.disputes.nextDeadline(),
  ];
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
  const settled = { ...action, state, facts } as const;
  bookAction(services, payment, settled);
  emitActionEvent(services, settled);
  if (action.type === 'Capture' && state === 'approved' && isDisputed(payment.amount))
    openDispute(services, payment, SANDBOX_DISPUTE, action.dueAt);
}

/** Response code of an outcome: set by control, or selected by the amount. */
function outcomeOf({ facts }: StoredPayment, { type, amount }: StoredAction): string {
  const isDeclined =
    (type === 'Capture' && isDeclinedCapture(amount)) ||
    (type === 'Refund' && isDeclinedRefund(amount));
  return facts.outcomes?.[type] ?? (isDeclined ? DECLINED_OUTCOME : APPROVED_OUTCOME);
}

/** Ends an authorisation, a hosted challenge that nobody passed, or the wait for a retry. */
function expirePayment(services: CheckoutServices, payment: StoredPayment): void {
  const { status, amount, expiresAt } = payment;
  if (status === 'Pending') {
    const decision = { status: 'Declined', code: CHALLENGE_EXPIRED, amount } as const;
    finishAuthorization(services, payment, decision, expiresAt);
  } else if (status === 'Retry Scheduled') retryPayment(services, payment);
  else expireAuthorisation(services, payment);
}

/** Charges again. The issuer decides as before, unless control has set another response code. */
function retryPayment(services: CheckoutServices, payment: StoredPayment): void {
  const { amount, expiresAt, facts } = payment;
  const earlierCode = services.books.actions.of(payment.id).at(-1)?.facts.code;
  const code = facts.outcomes?.Authorization ?? earlierCode ?? DECLINED_OUTCOME;
  const status = code === APPROVED_OUTCOME ? 'Authorized' : 'Declined';
  finishAuthorization(services, payment, { status, code, amount }, expiresAt);
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
