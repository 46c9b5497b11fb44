import { resultWithoutResponse, type WireAnswer } from '../../port/message.ts';
import { type FollowUpResult, type ReverseResult, UNNAMED_REVERSAL } from '../../port/processor.ts';
import { type Answered, membersOf, textOf } from '../../port/read-answer.ts';
import {
  isPassing,
  isRefusedByAdyen,
  namesOurs,
  notExecutedAtAdyen,
  unclearAtAdyen,
  whyOfAdyen,
} from './read-answer.ts';

const RECEIVED = 201;
/** Wrong key, or a role that is missing: the account can be mended. */
const LOCKED_OUT = new Set([401, 403]);

const isReceipt = ({ status, body }: Answered, expected?: string): boolean => {
  const { status: text, reference } = membersOf(body);
  return status === RECEIVED && text === 'received' && namesOurs(reference, expected);
};

/** The result of a modification that Adyen did not take; undefined for a receipt. */
function withoutReceipt(answer: WireAnswer, expected?: string) {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  if (isPassing(answer) || LOCKED_OUT.has(answer.status)) return notExecutedAtAdyen(answer);
  if (isRefusedByAdyen(answer))
    return { result: 'refused', why: `${whyOfAdyen(answer)}.` } as const;
  return isReceipt(answer, expected) ? undefined : unclearAtAdyen(answer);
}

/** The answer to a capture or refund. Adyen takes the message, and a notification tells the outcome. */
export function toSentResult(answer: WireAnswer, expected?: string): FollowUpResult {
  const failure = withoutReceipt(answer, expected);
  if (failure) return failure;
  const reference = textOf(membersOf((answer as Answered).body).pspReference);
  return { result: 'pending', ...(reference !== undefined && { processor_reference: reference }) };
}

/**
 * The answer to a reversal. Adyen takes even a reference that it never saw, so a receipt proves nothing. The
 * receipt's reference is the reversal's, not the payment's.
 */
export function toCancelResult(answer: WireAnswer, expected?: string): ReverseResult {
  const failure = withoutReceipt(answer, expected);
  if (failure) return failure;
  const { pspReference } = membersOf((answer as Answered).body);
  return { result: 'pending', accepted_as: textOf(pspReference) ?? UNNAMED_REVERSAL };
}
