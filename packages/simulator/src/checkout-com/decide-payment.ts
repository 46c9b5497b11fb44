import { expiryOk } from '@florin/contract/card/expiry.ts';
import type { SandboxOutcome } from '@florin/contract/card/sandbox-cards.ts';
import type { AuthorisationAnswer } from '@florin/contract/protocol/network.ts';
import type { StandInAnswer } from '../stand-in/answer.ts';
import { askIssuer, type CardUse } from '../stand-in/issuer.ts';
import { textOf } from '../stand-in/members.ts';
import { invalid } from './answer.ts';
import { checkoutCardOutcome } from './checkout-cards.ts';
import type { PaymentOrder } from './parse-payment.ts';

/** Status of a payment when its request ends. Later statuses follow from its actions. */
export type InitialStatus =
  | 'Authorized'
  | 'Card Verified'
  | 'Declined'
  | 'Retry Scheduled'
  | 'Pending';

/** Decision about a payment request. */
export interface PaymentDecision {
  readonly status: InitialStatus;
  /** Response code of five characters; absent while a payment is pending. */
  readonly code?: string;
  /** Approved amount in minor units. */
  readonly amount: number;
  readonly recommendation?: string;
  readonly avs?: string;
  readonly cvv?: string;
  readonly authCode?: string;
  readonly schemeId?: string;
  /** Reason of a hosted challenge. */
  readonly upgradeReason?: string;
}

/** Earlier facts that a decision depends on. */
export interface PaymentHistory {
  /** Whether `previous_payment_id` names an approved payment, or is a scheme's transaction id. */
  readonly previous: 'approved' | 'scheme_id' | 'unknown' | 'none';
  /** Whether an earlier approval used the same cryptogram. */
  readonly isReplayed: boolean;
  /** Reason for which the issuer declines, whatever the card. */
  readonly decline?: SandboxOutcome | undefined;
}

/** First digits of response codes that a later attempt may change. */
const SOFT_DECLINES = '20';
const AUTHENTICATION_WANTED = '20154';
const WRONG_PREVIOUS_PAYMENT = '20033';
const PARTIAL = '10010';
const SHORT_OF_FUNDS = '20051';
const CVV_MISMATCH_CODES: readonly string[] = ['20087', '200N7'];

/** Checkout.com's codes for response codes of the simulated network. */
const codeByNetworkCode: Readonly<Record<string, string>> = {
  '00': '10000',
  '05': '20005',
  '10': PARTIAL,
  '14': '20014',
  '41': '30041',
  '43': '30043',
  '51': SHORT_OF_FUNDS,
  '54': '20054',
  '59': '40101',
  '62': '20062',
  N7: '20087',
  '1A': '20151',
};

/** Refusal of a request that the issuer never sees; undefined if the issuer decides. */
export function refusalOf(
  order: PaymentOrder,
  now: Date,
  { previous }: PaymentHistory,
): StandInAnswer | undefined {
  const { expiryMonth, expiryYear } = order.source;
  if (!expiryOk(expiryMonth, expiryYear, now)) return invalid(['card_expired'], 'processing_error');
  const isPreviousUnknown = order.isMerchantInitiated && previous === 'unknown';
  const isPaymentId = order.previousPaymentId?.startsWith('pay_');
  return isPreviousUnknown && isPaymentId ? invalid(['previous_payment_id_invalid']) : undefined;
}

/** Decides a payment request that is new. Deterministic: `id` selects codes and ids of the network. */
export function decidePayment(
  order: PaymentOrder,
  id: string,
  now: Date,
  history: PaymentHistory,
): PaymentDecision {
  const { threeds, isMerchantInitiated } = order;
  if (threeds.isEnabled && threeds.cryptogram === undefined && !isMerchantInitiated)
    return { status: 'Pending', amount: order.amount };
  const issuer = issuerDecision(order, id, now, history);
  if (issuer.code === AUTHENTICATION_WANTED && threeds.allowsUpgrade && !isMerchantInitiated)
    return { status: 'Pending', amount: order.amount, upgradeReason: 'sca_retry' };
  const isRetried = order.schedulesRetries && issuer.code?.startsWith(SOFT_DECLINES);
  return isRetried ? { ...issuer, status: 'Retry Scheduled' } : issuer;
}

/** Decision of the card's issuer, without Checkout.com's own challenges. */
export function issuerDecision(
  order: PaymentOrder,
  id: string,
  now: Date,
  history: PaymentHistory,
): PaymentDecision {
  const { decline } = history;
  const card = decline ? undefined : checkoutCardOutcome({ ...order.source, amount: order.amount });
  const network = askIssuer(cardUseOf(order, id, !card), now, {
    isReplayed: history.isReplayed,
    decline,
    isOriginalKnown: history.previous !== 'unknown',
  });
  const isPartial = card ? card.isPartial === true : network.response_code === '10';
  const decided = card ? card.code : (codeByNetworkCode[network.response_code] ?? '20005');
  const code = finalCodeOf(order, history, { code: decided, isPartial });
  const isApproved = code.startsWith('10');
  const partAmount = network.approved_amount ?? Math.floor(order.amount / 2);
  return {
    status: isApproved ? approvedStatusOf(order) : 'Declined',
    code,
    amount: code === PARTIAL ? partAmount : order.amount,
    ...(card?.recommendation && { recommendation: card.recommendation }),
    ...checksOf(order, network, code),
    ...(isApproved && { authCode: authCodeOf(network.authorisation_code, id) }),
    ...(network.network_transaction_id && { schemeId: network.network_transaction_id }),
  };
}

const approvedStatusOf = ({ amount }: PaymentOrder): InitialStatus =>
  amount === 0 ? 'Card Verified' : 'Authorized';

/** Part approvals need the caller's permission. A merchant-initiated payment needs an earlier one. */
function finalCodeOf(
  order: PaymentOrder,
  { previous }: PaymentHistory,
  { code, isPartial }: { readonly code: string; readonly isPartial: boolean },
): string {
  if (order.isMerchantInitiated && previous === 'unknown') return WRONG_PREVIOUS_PAYMENT;
  if (!isPartial) return code;
  return order.allowsPartial ? PARTIAL : SHORT_OF_FUNDS;
}

/** The issuer's view of a payment. The proof of authentication counts for Florin's cards only. */
function cardUseOf(order: PaymentOrder, id: string, hasProof: boolean): CardUse {
  const { source, threeds } = order;
  const isWallet = source.tokenType === 'applepay' || source.tokenType === 'googlepay';
  const isToken = source.tokenType === 'vts' || source.tokenType === 'mdes';
  const kind = source.tokenType === 'applepay' ? 'apple_pay' : 'google_pay';
  return {
    id,
    amount: order.amount,
    currency: order.currency,
    number: source.number,
    expiryMonth: source.expiryMonth,
    expiryYear: source.expiryYear,
    cvv: source.cvv,
    isMerchantInitiated: order.isMerchantInitiated,
    simulate: textOf(order.metadata.simulate),
    ...(hasProof && threeds.cryptogram && { proof: proofOf(threeds, threeds.cryptogram) }),
    ...(isToken && {
      networkToken: { ...(source.cryptogram && { cryptogram: source.cryptogram }) },
    }),
    ...(hasProof &&
      isWallet &&
      source.cryptogram && { wallet: { kind, cryptogram: source.cryptogram } }),
  };
}

const proofOf = ({ eci, xid }: PaymentOrder['threeds'], cryptogram: string) => ({
  eci,
  cryptogram,
  transactionId: xid,
});

/** Results of address and CVV checks. Both are absent where the request had nothing to check. */
function checksOf(
  { source: { addressLine1, cvv } }: PaymentOrder,
  { avs, cvc }: AuthorisationAnswer,
  code: string,
): Pick<PaymentDecision, 'avs' | 'cvv'> {
  const testAvs = /^Test_(AE[1-8]|[A-Z])$/.exec(addressLine1 ?? '')?.[1];
  return {
    ...(addressLine1 && { avs: testAvs ?? (avs === 'U' ? 'S' : avs) }),
    ...(cvv && { cvv: cvc === 'N' || CVV_MISMATCH_CODES.includes(code) ? 'D' : 'Y' }),
  };
}

/** Approval code of six characters. Cards of Checkout.com's own take the end of the payment's id. */
const authCodeOf = (code: string | undefined, id: string): string =>
  code ?? id.slice(-6).toUpperCase();
