import type { FollowUpFailure } from '@florin/contract/decline-codes.ts';
import { resultWithoutResponse, type WireAnswer } from '../../port/message.ts';
import type { FollowUpResult, InquireFollowUpResult } from '../../port/processor.ts';
import type { Answered, Members } from '../../port/read-answer.ts';
import {
  cnpIdOf,
  cnpReasonOf,
  codeOf,
  edgeProblemOf,
  isTemporary,
  openEnvelope,
  refusedAtEdge,
  transactionOf,
  undecided,
} from './read-answer.ts';
import { readQuery } from './read-query.ts';
import { APPROVED, FOLLOW_UP_DECLINED, RECEIVED } from './response-codes.ts';

/** The response to a capture or a refund. */
export const toFollowUpResult =
  (name: string, failure: FollowUpFailure) =>
  (answer: WireAnswer, expected?: string): FollowUpResult => {
    if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
    const envelope = openEnvelope(answer);
    if (edgeProblemOf(envelope))
      return isTemporary(envelope)
        ? refusedAtEdge(answer)
        : { result: 'refused', why: cnpReasonOf(answer) };
    const response = transactionOf(envelope, name, expected);
    return response ? outcomeOf(answer, response, failure) : undecided(answer);
  };

/** The response to a query about a capture or a refund. */
export const toFollowUpInquiry =
  (name: string, failure: FollowUpFailure) =>
  (answer: WireAnswer, expected?: string): InquireFollowUpResult => {
    if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
    const found = readQuery(answer, [name], expected);
    if ('result' in found) return found;
    if (found.is === 'not_found') return { result: 'not_found' };
    return found.is === 'not_yet'
      ? { result: 'pending' }
      : outcomeOf(answer, found.transaction, failure);
  };

/** A duplicate stays unknown: only a query shows the earlier transaction with the same id. */
function outcomeOf(answer: Answered, response: Members, failure: FollowUpFailure): FollowUpResult {
  const code = codeOf(response) ?? '';
  const id = cnpIdOf(response);
  const facts = {
    ...(id !== undefined && { processor_reference: id }),
    ...(code !== '' && { codes: { response: code } }),
  };
  if (RECEIVED.includes(code)) return { result: 'pending', ...facts };
  if (APPROVED.includes(code) && id !== undefined)
    return { result: 'approved', network_transaction_id: null, ...facts };
  if (FOLLOW_UP_DECLINED.includes(code)) return { result: 'declined', code: failure, ...facts };
  return undecided(answer, code || undefined);
}
