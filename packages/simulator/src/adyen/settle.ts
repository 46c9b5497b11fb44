import { isDisputed } from '../faults.ts';
import type { AdyenServices } from './call.ts';
import { advanceAsPlanned, openAdyenDispute } from './disputes/advance-dispute.ts';
import { emitAuthorisation, emitExpiry, emitModification } from './events/payment-events.ts';
import { adyenBalancesOf } from './modifications/balances.ts';
import {
  decideModification,
  isCancellable,
  type ModifiedPayment,
} from './modifications/decide-modification.ts';
import { isoUnitsOf } from './money-rules.ts';
import type { AdyenPayment, Modification, ModificationState } from './records.ts';
import { recordModificationMovement } from './reports/record-movement.ts';

/** Gives payments, modifications and disputes their outcomes up to now, in the order of time. Runs inside a commit. */
export function settleAdyenDue(services: AdyenServices): void {
  const { books, now } = services;
  const until = now();
  for (;;) {
    const [modification] = books.modifications.due(until, 1);
    const [payment] = books.payments.due(until, 1);
    const first = Math.min(modification?.dueAt ?? until, payment?.dueAt ?? until);
    const stage = books.defences.takeDue(first);
    if (stage) advanceAsPlanned(services, stage);
    else if (modification && !(payment && payment.dueAt < modification.dueAt))
      settleModification(services, modification);
    else if (payment) settlePayment(services, payment);
    else return;
  }
}

/** Next time at which something gets its outcome, in milliseconds since 1970. */
export function nextAdyenOutcomeAt({ books }: AdyenServices): number | undefined {
  const times = [books.payments.nextDue(), books.modifications.nextDue(), books.defences.nextDue()];
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}

/** Decides a payment that was `Received`, or ends an approval. */
function settlePayment(services: AdyenServices, payment: AdyenPayment): void {
  const { books } = services;
  const { status, facts, dueAt, account, amount } = payment;
  const { later } = facts;
  if (status === 'authorised' || !later) {
    books.payments.update(payment.psp, { ...payment, status: 'expired' });
    const { captured } = adyenBalancesOf(books.modifications.of(payment.psp));
    if (captured < amount) emitExpiry(services, payment, amount - captured);
    return;
  }
  const authorisation_ms = books.accounts.find(account)?.settings.authorisation_ms ?? 0;
  const authorised: AdyenPayment = {
    ...payment,
    status: 'authorised',
    amount: later.amount,
    dueAt: dueAt + authorisation_ms,
    facts: { ...facts, decision: later },
  };
  books.payments.update(payment.psp, authorised);
  emitAuthorisation(services, authorised);
}

function settleModification(services: AdyenServices, modification: Modification): void {
  if (modification.state === 'failing') setState(services, modification, 'failed');
  else if (modification.kind === 'technical_cancel') settleTechnicalCancel(services, modification);
  else settleOne(services, modification);
}

/** Stores and reports the next state of a modification. */
function setState(
  services: AdyenServices,
  modification: Modification,
  state: ModificationState,
  change: Partial<Modification> = {},
): void {
  const { books } = services;
  const changed = { ...modification, ...change, state };
  books.modifications.update(modification.psp, changed);
  const payment = books.payments.find(changed.facts.paymentPsp ?? changed.payment);
  emitModification(services, changed, payment);
  if (payment) recordModificationMovement(services, changed, payment);
  const isCaptured = changed.kind === 'capture' && (state === 'succeeded' || state === 'failing');
  const { amount, currency } = changed;
  if (payment && isCaptured && isDisputed(isoUnitsOf({ value: amount, currency })))
    openAdyenDispute(services, payment, amount);
}

function settleOne(services: AdyenServices, modification: Modification): void {
  const payment = services.books.payments.find(modification.payment);
  if (!payment) throw new Error(`Modification ${modification.psp} has no payment.`);
  const { reason, action, amount } = decideModification(modification, stateOf(services, payment));
  const facts = { ...modification.facts, ...(reason && { reason }), ...(action && { action }) };
  if (reason) {
    setState(services, modification, 'refused', { facts });
    return;
  }
  const isCancelled = modification.kind === 'cancel' || action === 'cancel';
  if (isCancelled) services.books.payments.update(payment.psp, { ...payment, status: 'cancelled' });
  const isFailing = payment.facts.failingKind === modification.kind;
  const { failure_delay_ms = 0 } =
    services.books.accounts.find(modification.account)?.settings ?? {};
  setState(services, modification, isFailing ? 'failing' : 'succeeded', {
    facts,
    ...(amount !== undefined && { amount }),
    ...(isFailing && { dueAt: modification.dueAt + failure_delay_ms }),
  });
}

function stateOf({ books }: AdyenServices, payment: AdyenPayment): ModifiedPayment {
  return {
    payment,
    balances: adyenBalancesOf(books.modifications.of(payment.psp)),
    allowsSeveralCaptures: books.accounts.find(payment.account)?.settings.several_captures ?? false,
  };
}

/** Cancels all payments of a merchant's reference. Refused if none can be cancelled. */
function settleTechnicalCancel(services: AdyenServices, modification: Modification): void {
  const { account, facts } = modification;
  const payments = services.books.payments.ofReference(account, facts.paymentReference ?? '');
  const cancellable = payments.filter((payment) => isCancellable(stateOf(services, payment)));
  for (const payment of cancellable)
    services.books.payments.update(payment.psp, { ...payment, status: 'cancelled' });
  const known = cancellable[0] ?? payments[0];
  const change = {
    ...(known && { currency: known.currency, amount: known.amount }),
    facts: {
      ...facts,
      ...(known && { paymentPsp: known.psp }),
      ...(cancellable.length === 0 && { reason: 'No payment of this reference can be cancelled' }),
    },
  };
  setState(services, modification, cancellable.length > 0 ? 'succeeded' : 'refused', change);
}
