import { fromProcessorUnits } from '../../port/minor-units.ts';
import type { AuthoriseResult, DeclinedResult, ProcessorFacts } from '../../port/processor.ts';
import { type Members, membersOf, textOf, unknownResult } from '../../port/read-answer.ts';
import { checksOfAdyen } from './checks.ts';
import { adyenExponents } from './metadata.ts';
import { codesOf } from './read-answer.ts';
import { type Refusal, refusalOfAdyen } from './refusals.ts';

/** Members that operators see, of a payment and of its `additionalData`. */
const PAYMENT_CODES = ['resultCode', 'refusalReasonCode'];
const ADDITIONAL_CODES = [
  'refusalReasonRaw',
  'merchantAdviceCode',
  'inferredRefusalReason',
  'avsResult',
  'cvcResult',
  'networkProcessingMode',
  'fraudManualReview',
  'transactionLinkId',
];

/** Reference and raw codes of a payment, in an answer or a notification. */
export function factsOfPayment(payment: Members): ProcessorFacts {
  const reference = textOf(payment.pspReference);
  const codes = {
    ...codesOf(payment, PAYMENT_CODES),
    ...codesOf(membersOf(payment.additionalData), ADDITIONAL_CODES),
  };
  return {
    ...(reference !== undefined && { processor_reference: reference }),
    ...(Object.keys(codes).length > 0 && { codes }),
  };
}

const checksOf = ({ additionalData }: Members) => {
  const { avsResult, cvcResult } = membersOf(additionalData);
  return checksOfAdyen(avsResult, cvcResult);
};

/** Number of a partial approval, which may stand beside `Authorised` too. */
const PARTIAL = '30';

/** An approval without a reference could not be captured, so it is unknown, and is cancelled. */
export function approvalOfAdyen(payment: Members): AuthoriseResult {
  if (textOf(payment.pspReference) === undefined) return unknownResult('Adyen sent no reference.');
  if (payment.refusalReasonCode === PARTIAL || isLess(payment)) return partialApprovalOf(payment);
  const { authCode, networkTxReference } = membersOf(payment.additionalData);
  return {
    result: 'approved',
    authorisation_code: textOf(authCode) ?? null,
    network_transaction_id: textOf(networkTxReference) ?? null,
    ...checksOf(payment),
    ...factsOfPayment(payment),
  };
}

/** Whether the authorised amount is less than the payment's, where both are there in one currency. */
function isLess({ additionalData, amount }: Members): boolean {
  const { authorisedAmountValue, authorisedAmountCurrency } = membersOf(additionalData);
  const { value, currency } = membersOf(amount);
  return (
    typeof value === 'number' &&
    currency === authorisedAmountCurrency &&
    typeof authorisedAmountValue !== 'object' &&
    Number(authorisedAmountValue) < value
  );
}

export function partialApprovalOf(payment: Members): AuthoriseResult {
  const { authorisedAmountValue, authorisedAmountCurrency } = membersOf(payment.additionalData);
  const approvedAmount = amountOfTexts(authorisedAmountValue, authorisedAmountCurrency);
  return approvedAmount === undefined || textOf(payment.pspReference) === undefined
    ? unknownResult('Adyen approved an amount that cannot be read.')
    : { result: 'partly_approved', approvedAmount, ...factsOfPayment(payment) };
}

function amountOfTexts(value: unknown, currency: unknown): number | undefined {
  const isAmount = typeof value === 'string' && /^\d{1,15}$/.test(value);
  if (!isAmount || typeof currency !== 'string') return undefined;
  return fromProcessorUnits({ amount: Number(value), currency }, adyenExponents);
}

/** Decline code and advice of a refused payment. Notifications name the reason instead of its number. */
function refusalOf({ refusalReasonCode, reason, additionalData }: Members): Refusal {
  const { refusalReasonRaw, merchantAdviceCode } = membersOf(additionalData);
  return refusalOfAdyen({ refusalReasonCode, reason, refusalReasonRaw, merchantAdviceCode });
}

/** A payment that charges nothing. The refusal follows from its members unless it is named. */
export const declineOfAdyen = (
  payment: Members,
  refusal: Refusal = refusalOf(payment),
): DeclinedResult => ({
  result: 'declined',
  ...refusal,
  ...checksOf(payment),
  ...factsOfPayment(payment),
});
