import { balancesOf, currentStatusOf, type PaymentBalances } from './balances.ts';
import {
  type PaymentFacts,
  type SourceFacts,
  type StoredAction,
  type StoredPayment,
  wasApproved,
} from './records.ts';
import { summaryOf } from './response-texts.ts';

/** Base address of the links in responses. */
export type LinkBase = string;

/** ISO form of a time in milliseconds since 1970. */
export const timeText = (ms: number): string => new Date(ms).toISOString();

/** Body of the 201 response to a payment request. */
export function renderCreated(
  payment: StoredPayment,
  action: StoredAction,
  base: LinkBase,
): Record<string, unknown> {
  const { facts } = payment;
  const isPart = payment.amount < facts.requestedAmount;
  return {
    id: payment.id,
    action_id: action.id,
    amount: payment.amount,
    ...(isPart && { amount_requested: facts.requestedAmount }),
    currency: payment.currency,
    approved: wasApproved(payment.status),
    status: payment.status,
    ...(action.facts.authCode && { auth_code: action.facts.authCode }),
    response_code: action.facts.code,
    response_summary: summaryOf(action.facts.code),
    ...(payment.status === 'Authorized' && { expires_on: timeText(payment.expiresAt) }),
    ...commonMembers(payment),
    processed_on: timeText(payment.requestedAt),
    processing: processingOf(payment),
    _links: linksOf(payment, base),
  };
}

/** Body of the 201 response to an increment, which has no `id`. */
export function renderIncrement(
  payment: StoredPayment,
  action: StoredAction,
  balances: PaymentBalances,
  base: LinkBase,
): Record<string, unknown> {
  const isApproved = action.state === 'approved';
  return {
    action_id: action.id,
    amount: action.amount,
    currency: payment.currency,
    approved: isApproved,
    status: isApproved ? 'Authorized' : 'Declined',
    response_code: action.facts.code,
    response_summary: summaryOf(action.facts.code),
    expires_on: timeText(payment.expiresAt),
    balances,
    processed_on: timeText(action.dueAt),
    ...(action.reference && { reference: action.reference }),
    ...(payment.facts.schemeId && { scheme_id: payment.facts.schemeId }),
    processing: processingOf(payment),
    _links: linksOf(payment, base),
  };
}

/** Body of the 202 response to a payment that waits for a hosted challenge. */
export function renderPending(payment: StoredPayment, base: LinkBase): Record<string, unknown> {
  const { reference, facts, id, status } = payment;
  return {
    id,
    status,
    ...(reference && { reference }),
    ...(facts.customer && { customer: facts.customer }),
    '3ds': { downgraded: false, ...threedsOf(facts) },
    _links: { ...selfLinks(payment, base), redirect: { href: `${base}/3ds/${id}` } },
  };
}

/** Body of `GET /payments/{id}`. Response codes are in `actions` only. */
export function renderDetails(
  payment: StoredPayment,
  actions: readonly StoredAction[],
  base: LinkBase,
): Record<string, unknown> {
  const { facts } = payment;
  return {
    ...renderSummary(payment, actions, base),
    payment_type: facts.paymentType,
    metadata: facts.metadata,
    ...(facts.billingDescriptor && { billing_descriptor: facts.billingDescriptor }),
    balances: balancesOf(payment, actions),
    actions: [...actions].reverse().map(({ id, type, facts: { code } }) => ({
      id,
      type,
      response_code: code,
      response_summary: summaryOf(code),
    })),
  };
}

/** One payment of a list. */
export function renderSummary(
  payment: StoredPayment,
  actions: readonly StoredAction[],
  base: LinkBase,
): Record<string, unknown> {
  const balances = balancesOf(payment, actions);
  return {
    id: payment.id,
    requested_on: timeText(payment.requestedAt),
    amount: payment.amount,
    currency: payment.currency,
    ...(payment.status !== 'Pending' && { approved: wasApproved(payment.status) }),
    status: currentStatusOf(payment, balances),
    ...(payment.status === 'Authorized' && { expires_on: timeText(payment.expiresAt) }),
    ...commonMembers(payment),
    _links: linksOf(payment, base),
  };
}

/** One action, as `GET /payments/{id}/actions` lists it. A pending action has no `approved`. */
export function renderAction(action: StoredAction): Record<string, unknown> {
  const { facts, state, reference } = action;
  return {
    id: action.id,
    type: action.type,
    processed_on: timeText(state === 'pending' ? action.requestedAt : action.dueAt),
    amount: action.amount,
    ...(state !== 'pending' && { approved: state === 'approved' }),
    ...(facts.authCode && { auth_code: facts.authCode }),
    response_code: facts.code,
    response_summary: summaryOf(facts.code),
    ...(facts.authorizationType && { authorization_type: facts.authorizationType }),
    ...(reference && { reference }),
    ...(facts.metadata && { metadata: facts.metadata }),
  };
}

const commonMembers = ({ reference, facts }: StoredPayment) => ({
  ...(facts.threeds && { '3ds': { downgraded: false, ...threedsOf(facts) } }),
  risk: { flagged: facts.isRiskFlagged },
  source: renderSource(facts.source),
  ...(facts.customer && { customer: facts.customer }),
  ...(reference && { reference }),
  ...(facts.eci && { eci: facts.eci }),
  ...(facts.schemeId && { scheme_id: facts.schemeId }),
});

const threedsOf = ({ threeds }: PaymentFacts) => ({
  enrolled: 'Y',
  ...(threeds?.version && { version: threeds.version }),
  ...(threeds?.upgradeReason && { upgrade_reason: threeds.upgradeReason }),
});

/** Card of a payment, as responses and events show it. */
export const renderSource = (source: SourceFacts) => ({
  type: source.type,
  scheme: source.scheme,
  last4: source.last4,
  bin: source.bin,
  fingerprint: source.fingerprint,
  expiry_month: source.expiryMonth,
  expiry_year: source.expiryYear,
  ...(source.name && { name: source.name }),
  ...(source.avs && { avs_check: source.avs }),
  ...(source.cvv && { cvv_check: source.cvv }),
  card_type: 'Credit',
  card_category: 'Consumer',
  issuer: 'SANDBOX BANK',
  issuer_country: 'GB',
  payment_account_reference: '',
});

const processingOf = ({ id, facts }: StoredPayment) => ({
  retrieval_reference_number: id.slice(-12),
  acquirer_transaction_id: id.slice(4, 24),
  ...(facts.recommendation && { recommendation_code: facts.recommendation }),
});

const selfLinks = ({ id }: StoredPayment, base: LinkBase) => ({
  self: { href: `${base}/payments/${id}` },
  actions: { href: `${base}/payments/${id}/actions` },
});

const linksOf = (payment: StoredPayment, base: LinkBase) => ({
  ...selfLinks(payment, base),
  ...(payment.status === 'Authorized' && {
    capture: { href: `${base}/payments/${payment.id}/captures` },
    void: { href: `${base}/payments/${payment.id}/voids` },
  }),
});
