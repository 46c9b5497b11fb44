import { expiryOk } from '@florin/contract/card/expiry.ts';
import type { SandboxOutcome } from '@florin/contract/card/sandbox-cards.ts';
import type { AuthorisationAnswer } from '@florin/contract/protocol/network.ts';
import { authorisationCodeOf, networkTransactionIdOf } from '../derive.ts';
import { askIssuer, type CardUse } from '../stand-in/issuer.ts';
import { isoUnitsOf } from './money-rules.ts';
import type { CardOrder } from './parse-card.ts';
import type { AdyenOrder } from './parse-payment.ts';
import type { AdyenDecision, ResultCode } from './records.ts';
import { reasonOfNetworkCode } from './refusal-reasons.ts';
import { codeOfHolderName, isAdyenCard, isRightCvc } from './test-cards.ts';

/** Earlier facts that a decision depends on. */
export interface AdyenHistory {
  /** Whether an earlier approval used the same cryptogram. */
  readonly isReplayed: boolean;
  /** Whether a merchant-initiated payment names an earlier approval. */
  readonly isOriginalKnown: boolean;
  /** Reason for which the issuer declines, whatever the card. */
  readonly decline?: SandboxOutcome | undefined;
}

/** A payment request with its card: the card of the request, or a stored one. */
export interface CardPayment {
  readonly order: AdyenOrder;
  readonly card: CardOrder;
  readonly psp: string;
}

const APPROVED = '1';
const PARTIAL = '30';
const AUTHENTICATION_WANTED = '38';
const EXPIRED = '6';
const CVC_DECLINED = '24';
const NOT_ENOUGH = '12';
const NETWORK_PARTIAL = '10';

/** Result codes of the reason codes that are not `Refused`. */
const resultByCode: Readonly<Record<string, ResultCode>> = {
  '0': 'Error',
  [APPROVED]: 'Authorised',
  '4': 'Error',
  '13': 'Received',
  '15': 'Cancelled',
  '22': 'Cancelled',
  [PARTIAL]: 'PartiallyAuthorised',
};

const avsTexts = {
  Y: '7 Both postal code and address match',
  A: '1 Address matches, but the postal code does not',
  Z: '6 Postal code matches, but the address does not',
  N: '2 Neither postal code nor address match',
  U: '3 AVS unavailable',
} as const;
const NO_ADDRESS = '5 No AVS data provided';
const cvcTexts = { M: '1 Matches', N: "2 Doesn't match", P: '0 Unknown' } as const;

/** Whether nobody pays at this moment: the merchant charges a stored card. */
export const isMerchantInitiated = ({
  shopperInteraction,
  recurringProcessingModel,
}: AdyenOrder): boolean =>
  shopperInteraction === 'ContAuth' &&
  recurringProcessingModel !== undefined &&
  recurringProcessingModel !== 'CardOnFile';

/** Decides a payment request that is new. Deterministic: `psp` selects codes and ids of the network. */
export function decideAdyenPayment(
  payment: CardPayment,
  now: Date,
  history: AdyenHistory,
): AdyenDecision {
  const { order, card } = payment;
  if (order.wantsAuthentication && !order.mpi && order.shopperInteraction === 'Ecommerce')
    return decisionOf(payment, { resultCode: 'RedirectShopper' });
  if (history.decline) return decisionOfIssuer(payment, now, history);
  const requestedCode =
    order.additionalData.RequestedTestAcquirerResponseCode ?? codeOfHolderName(card.holderName);
  if (requestedCode !== undefined) return decisionByCode(payment, requestedCode);
  if (isMerchantInitiated(order) && !history.isOriginalKnown)
    return decisionByCode(payment, AUTHENTICATION_WANTED);
  return isAdyenCard(card.number)
    ? decisionByCode(payment, codeOfAdyenCard(card, now))
    : decisionOfIssuer(payment, now, history);
}

function codeOfAdyenCard({ expiryMonth, expiryYear, cvc }: CardOrder, now: Date): string {
  if (!expiryOk(expiryMonth, expiryYear, now)) return EXPIRED;
  return isRightCvc(cvc) ? APPROVED : CVC_DECLINED;
}

/** Decision with a refusal reason code, as test cards and cardholders' names ask for. */
export function decisionByCode(payment: CardPayment, code: string): AdyenDecision {
  const { order, card } = payment;
  if (code === PARTIAL && !allowsPartial(order)) return decisionByCode(payment, NOT_ENOUGH);
  const resultCode = resultByCode[code] ?? 'Refused';
  const cvc = code === CVC_DECLINED ? 'N' : 'M';
  return decisionOf(payment, {
    resultCode,
    ...(code !== APPROVED && code !== '13' && { reasonCode: code }),
    ...(resultCode === 'PartiallyAuthorised' && { amount: Math.floor(order.amount.value / 2) }),
    ...(resultCode === 'Refused' && { reasonRaw: 'DECLINED' }),
    ...avsOf(order, 'Y'),
    ...(card.cvc !== undefined && { cvc: cvcTexts[cvc] }),
  });
}

/** Decision of the simulated network's issuer, who knows Florin's sandbox cards. */
function decisionOfIssuer(payment: CardPayment, now: Date, history: AdyenHistory): AdyenDecision {
  const { order, card } = payment;
  const answer = askIssuer(cardUseOf(payment), now, history);
  const isPartial = answer.response_code === NETWORK_PARTIAL;
  if (isPartial) return decisionByCode(payment, PARTIAL);
  const isApproved = answer.result === 'approved';
  const { code, raw } = reasonOfNetworkCode(answer.response_code);
  return decisionOf(payment, {
    resultCode: isApproved ? 'Authorised' : 'Refused',
    ...(!isApproved && { reasonCode: code, reasonRaw: raw }),
    ...checksOf(order, card, answer),
  });
}

const checksOf = (
  order: AdyenOrder,
  card: CardOrder,
  { avs, cvc }: AuthorisationAnswer,
): Pick<Partial<AdyenDecision>, 'avs' | 'cvc'> => ({
  ...avsOf(order, avs),
  ...(card.cvc !== undefined && { cvc: cvcTexts[cvc] }),
});

/** Result of the address check. A test address asks for a result by its number; without an address there is none. */
function avsOf({ testAvs, hasBillingAddress }: AdyenOrder, avs: AuthorisationAnswer['avs']) {
  if (testAvs !== undefined) return { avs: `${testAvs} Test AVS result` };
  return hasBillingAddress ? { avs: avsTexts[avs] } : {};
}

const allowsPartial = ({ additionalData }: AdyenOrder): boolean =>
  additionalData.allowPartialAuth === 'true';

/** Completes a decision with the ids that every approval has. */
function decisionOf(
  { order, psp }: CardPayment,
  part: Partial<AdyenDecision> & Pick<AdyenDecision, 'resultCode'>,
): AdyenDecision {
  const isApproved = part.resultCode === 'Authorised' || part.resultCode === 'PartiallyAuthorised';
  return {
    amount: order.amount.value,
    avs: NO_ADDRESS,
    cvc: cvcTexts.P,
    ...(isApproved && { authCode: authorisationCodeOf(psp) }),
    networkTxReference: networkTransactionIdOf(psp),
    ...part,
  };
}

/** The issuer's view of a payment. A cryptogram without a directory's transaction id is a device's. */
function cardUseOf({ order, card, psp }: CardPayment): CardUse {
  const { cavv, tokenAuthenticationVerificationValue, eci, dsTransID } = order.mpi ?? {};
  const isToken = card.kind === 'networkToken' && !walletNameOf(order, card);
  const deviceCryptogram = tokenAuthenticationVerificationValue ?? (dsTransID ? undefined : cavv);
  const proofCryptogram = dsTransID ? cavv : undefined;
  return {
    id: psp,
    amount: isoUnitsOf(order.amount),
    currency: order.amount.currency,
    number: card.number,
    expiryMonth: card.expiryMonth,
    expiryYear: card.expiryYear,
    cvv: card.cvc,
    isMerchantInitiated: isMerchantInitiated(order),
    simulate: order.simulate,
    ...(proofCryptogram && {
      proof: { cryptogram: proofCryptogram, eci, transactionId: dsTransID },
    }),
    ...(isToken && {
      networkToken: {
        ...(tokenAuthenticationVerificationValue && {
          cryptogram: tokenAuthenticationVerificationValue,
        }),
      },
    }),
    ...(deviceCryptogram &&
      !isToken && {
        wallet: { kind: walletKindOf(order, card), cryptogram: deviceCryptogram },
      }),
  };
}

/** A network token without a wallet is the merchant's own. */
const walletNameOf = ({ additionalData }: AdyenOrder, { wallet }: CardOrder): string | undefined =>
  wallet ?? additionalData['paymentdatasource.type'];

const walletKindOf = (order: AdyenOrder, card: CardOrder) =>
  walletNameOf(order, card) === 'applepay' ? 'apple_pay' : 'google_pay';
