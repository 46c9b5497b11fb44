import { createHmac } from 'node:crypto';
import { notAllowed, type StandInAnswer } from '../stand-in/answer.ts';
import { isJsonObject } from '../stand-in/members.ts';
import { invalid, malformed } from './answer.ts';
import { type CheckoutCall, type CheckoutServices, findPayment } from './call.ts';
import {
  decidePayment,
  issuerDecision,
  type PaymentDecision,
  type PaymentHistory,
  refusalOf,
} from './decide-payment.ts';
import { emitActionEvent, emitPaymentEvent } from './events/emit.ts';
import { bookAction } from './finance/book-movements.ts';
import { acceptAction } from './follow-ups/operations.ts';
import { createId } from './ids.ts';
import { type PaymentOrder, parsePayment } from './parse-payment.ts';
import {
  type PaymentFacts,
  type SourceFacts,
  type StoredAction,
  type StoredPayment,
  wasApproved,
} from './records.ts';
import { renderCreated, renderPending } from './render-payment.ts';

/** Time for which a payment waits for its hosted challenge. */
const CHALLENGE_MS = 15 * 60_000;
/** Time from a soft decline to the scheduled retry. */
const RETRY_MS = 24 * 60 * 60_000;
const SCHEME_ID = /^[A-Za-z0-9]{9,20}$/;
const APPROVED = '10000';

/** `POST /payments`. Runs inside a commit. */
export function requestPayment(services: CheckoutServices, call: CheckoutCall): StandInAnswer {
  if (!isJsonObject(call.body)) return malformed;
  const order = parsePayment(call.body);
  if ('length' in order) return invalid(order);
  const { settings } = call.account;
  if (order.source.kind === 'card' && !settings.full_card_details) return notAllowed;
  const now = services.now();
  const history = historyOf(services, call, order);
  const refusal = refusalOf(order, new Date(now), history);
  if (refusal) return refusal;
  const id = createId('pay');
  const decision = decidePayment(order, id, new Date(now), history);
  const payment = paymentOf(services, call, { order, id, decision, history, now });
  return storePayment(services, call, { order, payment, decision });
}

function historyOf(
  services: CheckoutServices,
  call: CheckoutCall,
  { previousPaymentId, source, threeds }: PaymentOrder,
): PaymentHistory {
  const { decline } = call;
  const cryptograms = [source.cryptogram, threeds.cryptogram].filter(isPresent);
  const isReplayed = cryptograms.some(services.books.cryptograms.isUsed);
  if (previousPaymentId === undefined) return { previous: 'none', isReplayed, decline };
  const status = findPayment(services, call, previousPaymentId)?.status;
  if (status && wasApproved(status)) return { previous: 'approved', isReplayed, decline };
  const isSchemeId = SCHEME_ID.test(previousPaymentId);
  return { previous: isSchemeId ? 'scheme_id' : 'unknown', isReplayed, decline };
}

const isPresent = (text: string | undefined): text is string => text !== undefined;

interface Decided {
  readonly order: PaymentOrder;
  readonly id: string;
  readonly decision: PaymentDecision;
  readonly history: PaymentHistory;
  readonly now: number;
}

function paymentOf(
  { books }: CheckoutServices,
  { account }: CheckoutCall,
  { order, id, decision, history, now }: Decided,
): StoredPayment {
  const isPending = decision.status === 'Pending';
  const issuer = isPending ? issuerDecision(order, id, new Date(now), history) : decision;
  return {
    id,
    channel: account.name,
    reference: order.reference ?? null,
    amount: decision.amount,
    currency: order.currency,
    status: decision.status,
    requestedAt: now,
    expiresAt: now + waitOf(decision, account.settings.authorisation_ms),
    facts: {
      ...factsOf(order, decision),
      source: sourceFactsOf(order, issuer, books.fingerprintKey),
      ...(isPending && { afterChallenge: afterChallengeOf(order, decision, issuer) }),
    },
  };
}

/** Time from a decision to the end of the authorisation, the challenge or the wait for a retry. */
function waitOf({ status }: PaymentDecision, authorisation_ms: number): number {
  if (status === 'Pending') return CHALLENGE_MS;
  return status === 'Retry Scheduled' ? RETRY_MS : authorisation_ms;
}

/** The issuer's decision about an authenticated payment. A challenge satisfies a soft decline. */
function afterChallengeOf(
  { amount }: PaymentOrder,
  { upgradeReason }: PaymentDecision,
  issuer: PaymentDecision,
): PaymentDecision {
  if (!upgradeReason) return issuer;
  return { ...issuer, status: amount === 0 ? 'Card Verified' : 'Authorized', code: APPROVED };
}

function factsOf(order: PaymentOrder, decision: PaymentDecision): Omit<PaymentFacts, 'source'> {
  const eci = order.threeds.eci ?? order.source.eci;
  const { upgradeReason, recommendation, schemeId } = decision;
  const { version } = order.threeds;
  return {
    paymentType: order.paymentType,
    authorizationType: order.authorizationType,
    metadata: order.metadata,
    capture: order.capture,
    requestedAmount: order.amount,
    isRiskFlagged: decision.code?.startsWith('4') ?? false,
    ...(order.customer && { customer: order.customer }),
    ...(order.billingDescriptor && { billingDescriptor: order.billingDescriptor }),
    ...(eci && { eci }),
    ...(schemeId && { schemeId }),
    ...(recommendation && { recommendation }),
    ...((order.threeds.isEnabled || upgradeReason) && {
      threeds: { ...(upgradeReason && { upgradeReason }), ...(version && { version }) },
    }),
  };
}

function sourceFactsOf(
  { source, brand }: PaymentOrder,
  { avs, cvv }: PaymentDecision,
  fingerprintKey: string,
): SourceFacts {
  return {
    type: source.kind,
    scheme: brand === 'amex' ? 'American Express' : brand[0]?.toUpperCase() + brand.slice(1),
    brand,
    last4: source.number.slice(-4),
    bin: source.number.slice(0, 6),
    expiryMonth: source.expiryMonth,
    expiryYear: source.expiryYear,
    fingerprint: createHmac('sha256', fingerprintKey).update(source.number).digest('hex'),
    ...(source.name && { name: source.name }),
    ...(avs && { avs }),
    ...(cvv && { cvv }),
  };
}

function storePayment(
  services: CheckoutServices,
  { base }: CheckoutCall,
  {
    order,
    payment,
    decision,
  }: { order: PaymentOrder; payment: StoredPayment; decision: PaymentDecision },
): StandInAnswer {
  const { books } = services;
  books.payments.insert(payment);
  if (decision.status === 'Pending') {
    emitPaymentEvent(services, payment, 'payment_pending');
    return { status: 202, body: renderPending(payment, base) };
  }
  const action = recordAuthorization(services, payment, decision);
  if (action.state === 'approved') {
    for (const cryptogram of [order.source.cryptogram, order.threeds.cryptogram].filter(isPresent))
      books.cryptograms.use(cryptogram);
  }
  return { status: 201, body: renderCreated(payment, action, base) };
}

/** Stores the issuer's decision about a payment, and the capture that the payment asks for. */
function recordAuthorization(
  services: CheckoutServices,
  payment: StoredPayment,
  decision: PaymentDecision,
  at = payment.requestedAt,
): StoredAction {
  const action = authorizationOf(payment, decision, at);
  services.books.actions.insert(action);
  bookAction(services, payment, action);
  const isRetried = payment.status === 'Retry Scheduled';
  emitActionEvent(services, action, isRetried ? 'payment_retry_scheduled' : undefined);
  if (payment.facts.capture && payment.status === 'Authorized')
    acceptAction(services, payment, { type: 'Capture', amount: payment.amount }, payment);
  return action;
}

/** Decides a payment after its hosted challenge or its retry, at a time in milliseconds since 1970. */
export function finishAuthorization(
  services: CheckoutServices,
  payment: StoredPayment,
  decision: PaymentDecision,
  at: number,
): void {
  const { books } = services;
  const { status, amount, schemeId } = decision;
  const authorisation_ms = books.accounts.find(payment.channel)?.settings.authorisation_ms ?? 0;
  const finished: StoredPayment = {
    ...payment,
    status,
    amount,
    expiresAt: at + authorisation_ms,
    facts: { ...payment.facts, ...(schemeId && { schemeId }) },
  };
  books.payments.update(finished);
  recordAuthorization(services, finished, decision, at);
}

/** First action of a payment, with the issuer's decision at a time in milliseconds since 1970. */
function authorizationOf(
  payment: StoredPayment,
  decision: PaymentDecision,
  at: number,
): StoredAction {
  const { metadata, authorizationType } = payment.facts;
  return {
    id: createId('act'),
    payment: payment.id,
    type: payment.facts.requestedAmount === 0 ? 'Card Verification' : 'Authorization',
    amount: payment.amount,
    reference: payment.reference,
    state: wasApproved(payment.status) ? 'approved' : 'declined',
    requestedAt: at,
    dueAt: at,
    facts: {
      code: decision.code ?? APPROVED,
      authorizationType,
      metadata,
      ...(decision.authCode && { authCode: decision.authCode }),
    },
  };
}
