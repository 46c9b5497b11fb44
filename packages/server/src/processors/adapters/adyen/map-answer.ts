import type { MapAnswer } from '../../port/define-adapter.ts';
import { resultWithoutResponse, type WireAnswer } from '../../port/message.ts';
import type { AuthoriseResult, CheckResult, DeclinedResult } from '../../port/processor.ts';
import { type Answered, membersOf } from '../../port/read-answer.ts';
import { checksOfAdyen } from './checks.ts';
import { toCancelResult, toSentResult } from './modifications.ts';
import { approvalOfAdyen, declineOfAdyen, factsOfPayment, partialApprovalOf } from './payment.ts';
import {
  errorCodeOf,
  isPassing,
  isRefusedByAdyen,
  namesOurs,
  unclearAtAdyen,
  whyOfAdyen,
} from './read-answer.ts';
import { type Refusal, refusalOfError } from './refusals.ts';

const OK = 200;

/** Answers that want the payer to act. Adyen authorises nothing until then, and nobody acts. */
const WAITS_FOR_PAYER = ['RedirectShopper', 'IdentifyShopper', 'ChallengeShopper'];

const UNASKED_CHALLENGE: Refusal = { code: 'authentication_failed', advice: 'authenticate' };
/** Has no advice: another processor must not be asked, since an approval may still be notified. */
const ERROR: Refusal = { code: 'generic_decline' };

/** A decline is answered with 200 too: `resultCode` decides, and the refusal reason explains. */
function toAuthoriseResult(answer: WireAnswer, expected?: string): AuthoriseResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  if (answer.status !== OK) return withoutPayment(answer);
  const payment = membersOf(answer.body);
  if (!namesOurs(payment.merchantReference, expected)) return unclearAtAdyen(answer);
  switch (payment.resultCode) {
    case 'Authorised':
      return approvalOfAdyen(payment);
    case 'PartiallyAuthorised':
      return partialApprovalOf(payment);
    case 'Refused':
    case 'Cancelled':
      return declineOfAdyen(payment);
    case 'Error':
      return declineOfAdyen(payment, ERROR);
    case 'Received':
    case 'Pending':
      return { result: 'pending', ...factsOfPayment(payment) };
    default:
      return WAITS_FOR_PAYER.includes(payment.resultCode as string)
        ? declineOfAdyen(payment, UNASKED_CHALLENGE)
        : unclearAtAdyen(answer);
  }
}

const UNREACHABLE: Refusal = { code: 'processor_unreachable', advice: 'try_another_processor' };
/** The verification value is used up, so the message cannot be sent again. */
const PASSING: Refusal = { code: 'processor_unreachable', advice: 'try_later' };

/** An answer without a payment. The card is at fault, the account is, or nobody knows. */
function withoutPayment(answer: Answered): AuthoriseResult {
  if (isPassing(answer)) return refusedMessage(answer, PASSING);
  if (!isRefusedByAdyen(answer)) return unclearAtAdyen(answer);
  return refusedMessage(answer, refusalOfError(errorCodeOf(answer)) ?? UNREACHABLE);
}

const refusedMessage = (answer: Answered, refusal: Refusal): DeclinedResult => ({
  result: 'declined',
  ...refusal,
  ...checksOfAdyen(undefined, undefined),
  codes: { error: whyOfAdyen(answer) },
});

const WRONG_MERCHANT = '901';

const checkFailures: Readonly<Record<number, string>> = {
  401: 'the API key is wrong',
  403: 'the API key lacks the role Checkout webservice',
  404: 'the address is wrong',
};

function toCheckResult(answer: WireAnswer): CheckResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  if (answer.status === OK) return { result: 'accepted' };
  if (errorCodeOf(answer) === WRONG_MERCHANT)
    return { result: 'refused', why: 'the API key may not use this merchant account' };
  const why =
    checkFailures[answer.status] ?? (isRefusedByAdyen(answer) ? whyOfAdyen(answer) : undefined);
  return why === undefined ? unclearAtAdyen(answer) : { result: 'refused', why };
}

/** Results of answers by Adyen. */
export const adyenAnswers: MapAnswer = {
  authorise: toAuthoriseResult,
  reverse: toCancelResult,
  capture: toSentResult,
  refund: toSentResult,
  check: toCheckResult,
};
