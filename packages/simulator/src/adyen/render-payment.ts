import type { AdyenPayment, AdyenPaymentFacts } from './records.ts';
import { refusalReasonOf } from './refusal-reasons.ts';

const decimal = (amount: number): string => String(amount);

/** Body of the response to a payment request. The psp reference is absent while the customer is asked. */
export function renderPayment(
  payment: AdyenPayment,
  hasAdditionalData: boolean,
  base: string,
): Record<string, unknown> {
  const { facts, psp, reference, amount, currency } = payment;
  const { resultCode, reasonCode } = facts.decision;
  if (resultCode === 'RedirectShopper') return renderRedirect(psp, base);
  const isApproved = resultCode === 'Authorised' || resultCode === 'PartiallyAuthorised';
  return {
    ...(hasAdditionalData && { additionalData: additionalDataOf(payment) }),
    pspReference: psp,
    ...(reasonCode && {
      refusalReason: refusalReasonOf(reasonCode),
      refusalReasonCode: reasonCode,
    }),
    resultCode,
    ...(isApproved && { amount: { currency, value: amount } }),
    merchantReference: reference,
    paymentMethod: { brand: facts.card.brand, type: 'scheme' },
  };
}

const renderRedirect = (psp: string, base: string): Record<string, unknown> => ({
  resultCode: 'RedirectShopper',
  action: {
    type: 'redirect',
    method: 'GET',
    paymentMethodType: 'scheme',
    url: `${base}/checkoutshopper/threeDS/redirect/${psp}`,
  },
});

/** Additional data of a payment. All values are text. */
export function additionalDataOf({
  facts,
  amount,
  currency,
  reference,
}: AdyenPayment): Record<string, string> {
  const { card, decision } = facts;
  const isPartial = decision.resultCode === 'PartiallyAuthorised';
  return {
    paymentMethod: card.brand,
    paymentMethodVariant: `${card.brand}credit`,
    cardSummary: card.last4,
    cardBin: card.bin,
    expiryDate: `${card.expiryMonth}/${card.expiryYear}`,
    fundingSource: 'CREDIT',
    issuerCountry: 'NL',
    merchantReference: reference,
    avsResult: decision.avs,
    cvcResult: decision.cvc,
    ...(card.holderName && { cardHolderName: card.holderName }),
    ...(decision.authCode && { authCode: decision.authCode, networkProcessingMode: 'auth' }),
    ...(decision.authCode &&
      decision.networkTxReference && { networkTxReference: decision.networkTxReference }),
    ...(decision.reasonRaw && { refusalReasonRaw: decision.reasonRaw }),
    ...(isPartial && {
      authorisedAmountValue: decimal(amount),
      authorisedAmountCurrency: currency,
    }),
    ...authenticationOf(facts),
    ...recurringOf(facts),
  };
}

const authenticationOf = ({
  eci,
  dsTransID,
  threeDSVersion,
  isLiabilityShifted,
}: AdyenPaymentFacts) => ({
  ...(eci && { eci }),
  ...(threeDSVersion && { threeDSVersion }),
  ...(dsTransID && {
    dsTransID,
    threeDOffered: 'true',
    threeDAuthenticated: String(isLiabilityShifted),
  }),
  liabilityShift: String(isLiabilityShifted),
});

function recurringOf({
  shopperReference,
  recurringProcessingModel,
  storedPaymentMethodId,
}: AdyenPaymentFacts) {
  return {
    ...(recurringProcessingModel && { recurringProcessingModel }),
    ...(shopperReference &&
      storedPaymentMethodId && {
        'recurring.recurringDetailReference': storedPaymentMethodId,
        'recurring.shopperReference': shopperReference,
        'tokenization.storedPaymentMethodId': storedPaymentMethodId,
        'tokenization.shopperReference': shopperReference,
      }),
  };
}
