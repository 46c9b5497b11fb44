import type { MapAnswer } from '../../port/define-adapter.ts';
import { resultWithoutResponse, type WireAnswer } from '../../port/message.ts';
import {
  type AuthoriseResult,
  type CheckResult,
  type InquireResult,
  type ReverseResult,
  UNNAMED_REVERSAL,
} from '../../port/processor.ts';
import type { Answered } from '../../port/read-answer.ts';
import { checksOfCodes } from './checks.ts';
import { toFollowUpInquiry, toFollowUpResult } from './follow-ups.ts';
import {
  type CnpEnvelope,
  cnpIdOf,
  cnpReasonOf,
  codeOf,
  edgeProblemOf,
  isLoginProblem,
  openEnvelope,
  transactionOf,
  undecided,
} from './read-answer.ts';
import { paymentResponses, paymentResult } from './read-payment.ts';
import { readQuery } from './read-query.ts';
import { isReversed, RECEIVED, REVERSAL_REFUSED } from './response-codes.ts';

const paymentNames = paymentResponses.map(([name]) => name);
const kindOf = new Map(paymentResponses);

function toAuthoriseResult(answer: WireAnswer, expected?: string): AuthoriseResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  const envelope = openEnvelope(answer);
  if (edgeProblemOf(envelope)) return refusedMessage(answer, envelope);
  for (const [name, kind] of paymentResponses) {
    const payment = transactionOf(envelope, name, expected);
    if (payment) return paymentResult(answer, payment, kind);
  }
  return undecided(answer);
}

/** A message that never left Worldpay's edge. The account is at fault, not the card. */
const refusedMessage = (answer: Answered, { header = '' }: CnpEnvelope): AuthoriseResult => ({
  result: 'declined',
  code: 'processor_unreachable',
  advice: 'try_another_processor',
  codes: { header, error: cnpReasonOf(answer).slice(0, 128) },
  ...checksOfCodes(undefined, undefined),
});

function toInquireResult(answer: WireAnswer, expected?: string): InquireResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  const found = readQuery(answer, paymentNames, expected);
  if ('result' in found) return found;
  if (found.is === 'not_found') return { result: 'not_found' };
  if (found.is === 'not_yet') return { result: 'pending' };
  return paymentResult(answer, found.transaction, kindOf.get(found.name) ?? 'auth');
}

/** The response to a reversal, to a void, or to the query that comes first while no id of Worldpay is known. */
function toReverseResult(answer: WireAnswer, expected?: string): ReverseResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  const envelope = openEnvelope(answer);
  if (Object.hasOwn(envelope.transactions, 'queryTransactionResponse'))
    return nothingToReverse(answer, expected);
  const response =
    transactionOf(envelope, 'authReversalResponse', expected) ??
    transactionOf(envelope, 'voidResponse', expected);
  const code = response && codeOf(response);
  if (!code) return undecided(answer);
  if (isReversed(code)) return { result: 'reversed' };
  if (RECEIVED.includes(code))
    return { result: 'pending', accepted_as: cnpIdOf(response) ?? UNNAMED_REVERSAL };
  return REVERSAL_REFUSED.includes(code)
    ? { result: 'refused', why: cnpReasonOf(answer, code) }
    : undecided(answer, code);
}

/** A payment that Worldpay does not know, or declined, charges nothing. A found one is reversed by the next message. */
function nothingToReverse(answer: Answered, expected?: string): ReverseResult {
  const inquiry = toInquireResult(answer, expected);
  if (inquiry.result === 'not_found') return { result: 'reversed' };
  if (inquiry.result === 'unknown' || inquiry.result === 'not_sent') return inquiry;
  if (inquiry.result === 'declined')
    return { result: 'refused', why: 'Worldpay declined the payment.' };
  const { processor_reference } = inquiry;
  return { result: 'pending', ...(processor_reference !== undefined && { processor_reference }) };
}

/** Queries must be enabled: without them no unknown outcome could be found. */
const QUERIES_DISABLED = '153';
const CHECKED: readonly string[] = ['150', '151', '152'];

function toCheckResult(answer: WireAnswer): CheckResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  const envelope = openEnvelope(answer);
  const problem = edgeProblemOf(envelope);
  if (problem && isLoginProblem(envelope)) return { result: 'refused', why: problem };
  if (answer.status === 404 || answer.status === 405)
    return { result: 'refused', why: 'the address is wrong' };
  const code = codeOf(transactionOf(envelope, 'queryTransactionResponse') ?? {}) ?? '';
  if (CHECKED.includes(code)) return { result: 'accepted' };
  return code === QUERIES_DISABLED
    ? { result: 'refused', why: 'ask Worldpay to enable query transactions for the merchant id' }
    : undecided(answer, code || undefined);
}

/** Results of answers by cnpAPI. */
export const cnpAnswers: MapAnswer = {
  authorise: toAuthoriseResult,
  inquire: toInquireResult,
  reverse: toReverseResult,
  capture: toFollowUpResult('captureResponse', 'capture_declined'),
  refund: toFollowUpResult('creditResponse', 'refund_declined'),
  inquireCapture: toFollowUpInquiry('captureResponse', 'capture_declined'),
  inquireRefund: toFollowUpInquiry('creditResponse', 'refund_declined'),
  check: toCheckResult,
};
