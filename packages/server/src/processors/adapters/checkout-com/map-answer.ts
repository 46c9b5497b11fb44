import type { MapAnswer } from '../../port/define-adapter.ts';
import { resultWithoutResponse, type WireAnswer } from '../../port/message.ts';
import {
  type AuthoriseResult,
  type CheckResult,
  type InquireResult,
  type ReverseResult,
  UNNAMED_REVERSAL,
} from '../../port/processor.ts';
import { type Answered, itemsOf, type Members, membersOf, textOf } from '../../port/read-answer.ts';
import { checksOfSource } from './checks.ts';
import { sendResult, toActionResult } from './follow-ups.ts';
import { errorsOf, isOurs, unclear, whyOf } from './read-answer.ts';
import { toChanges } from './read-changes.ts';
import { approvalOf, declineOf, pendingOf } from './read-payment.ts';
import { declineOfErrors } from './response-codes.ts';

/** Statuses with which nothing was authorised: malformed, unauthorised, forbidden, wrong address, invalid. */
const NOTHING_DONE = new Set([400, 401, 403, 404, 422]);

/** Statuses of payments that were approved, and whose money may have moved since. */
const APPROVED = new Set([
  'Authorized',
  'Partially Captured',
  'Captured',
  'Partially Refunded',
  'Refunded',
  'Paid',
]);
/** Statuses of payments that charge nothing. */
const ENDED = new Set(['Declined', 'Canceled', 'Expired', 'Voided']);
const OPEN = new Set(['Pending', 'Active', 'Requested', 'Retry Scheduled']);

/** A decline is answered with 201 too: `approved` and `status` decide, and the code explains. */
function toAuthoriseResult(answer: WireAnswer, expected?: string): AuthoriseResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  if (NOTHING_DONE.has(answer.status)) return refusedMessage(answer);
  const payment = membersOf(answer.body);
  if (![201, 202].includes(answer.status) || !isOurs(payment, expected)) return unclear(answer);
  if (payment.status === 'Authorized' && payment.approved === true) return approvalOf(payment);
  if (payment.status === 'Declined' && payment.approved !== true) return declineOf(payment);
  return OPEN.has(payment.status as string) ? pendingOf(payment) : unclear(answer);
}

/** A message that Checkout.com did not accept. The card is at fault, or the account is. */
function refusedMessage(answer: Answered): AuthoriseResult {
  const code = declineOfErrors(errorsOf(answer));
  return {
    result: 'declined',
    code: code ?? 'processor_unreachable',
    advice: code ? 'update_card' : 'try_another_processor',
    codes: { error: whyOf(answer).slice(0, 128) },
    ...checksOfSource(undefined, undefined),
  };
}

/** Reads a payment, or the list of payments with our reference. */
function toInquireResult(answer: WireAnswer, expected?: string): InquireResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  const payment = membersOf(answer.body);
  if (answer.status !== 200) return unclear(answer);
  if (Array.isArray(payment.data)) return fromList(itemsOf(payment.data), expected);
  if (!isOurs(payment, expected)) return unclear(answer);
  const found = withAuthorisation(payment);
  const status = payment.status as string;
  if (APPROVED.has(status)) return payment.approved === false ? unclear(answer) : approvalOf(found);
  if (status === 'Voided') return { ...declineOf(found), code: 'processor_unreachable' };
  if (ENDED.has(status)) return declineOf(found);
  return OPEN.has(status) ? pendingOf(payment) : unclear(answer);
}

/** The list names payments; the payment itself has the outcome. Two payments: the approved one counts. */
function fromList(payments: readonly Members[], expected?: string): InquireResult {
  const ours = payments.filter((payment) => isOurs(payment, expected));
  const [payment] = [...ours.filter(({ approved }) => approved === true), ...ours];
  return payment ? pendingOf(payment) : { result: 'not_found' };
}

/** A payment that is looked up has its codes in the authorisation among its actions, if at all. */
function withAuthorisation(payment: Members): Members {
  const { response_code, auth_code, processing } =
    itemsOf(payment.actions).find(({ type }) => type === 'Authorization') ?? {};
  return {
    ...payment,
    response_code: payment.response_code ?? response_code,
    auth_code: payment.auth_code ?? auth_code,
    processing: payment.processing ?? processing,
  };
}

const REVERSED_ALREADY = 204;
const ACCEPTED = 202;
const FORBIDDEN = 403;

/** A receipt is pending: the next reversal is answered with 204. An empty list has nothing to reverse. */
function toReverseResult(answer: WireAnswer, expected?: string): ReverseResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  const { status, body } = answer;
  if (status === REVERSED_ALREADY) return { result: 'reversed' };
  if (status === FORBIDDEN) return { result: 'refused', why: `${whyOf(answer)}.` };
  const members = membersOf(body);
  if (status === ACCEPTED && isOurs(members, expected))
    return { result: 'pending', accepted_as: textOf(members.action_id) ?? UNNAMED_REVERSAL };
  if (status !== 200 || !Array.isArray(members.data)) return unclear(answer);
  const found = fromList(itemsOf(members.data), expected);
  if (found.result === 'not_found') return { result: 'reversed' };
  return found.result === 'pending' ? found : unclear(answer);
}

const checkFailures: Readonly<Record<number, string>> = {
  401: 'the secret key is wrong',
  403: 'the secret key may not read payments',
  404: 'the address is wrong',
};

function toCheckResult(answer: WireAnswer): CheckResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  const { status } = answer;
  if (status === 200) return { result: 'accepted' };
  const why = checkFailures[status] ?? (status === 422 ? whyOf(answer) : undefined);
  return why ? { result: 'refused', why } : unclear(answer);
}

/** Results of answers by Checkout.com. */
export const checkoutAnswers: MapAnswer = {
  authorise: toAuthoriseResult,
  inquire: toInquireResult,
  reverse: toReverseResult,
  capture: sendResult,
  refund: sendResult,
  inquireCapture: toActionResult('Capture', 'capture_declined'),
  inquireRefund: toActionResult('Refund', 'refund_declined'),
  changes: toChanges,
  check: toCheckResult,
};
