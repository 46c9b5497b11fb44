import type { FollowUpFailure } from '@florin/contract/decline-codes.ts';
import { resultWithoutResponse, type WireAnswer } from '../../port/message.ts';
import type { FollowUpResult, InquireFollowUpResult } from '../../port/processor.ts';
import { itemsOf, type Members, membersOf, textOf } from '../../port/read-answer.ts';
import { isOurs, notExecuted, unclear, whyOf } from './read-answer.ts';

const RECEIVED = 202;
const UNAUTHORISED = 401;
/** Malformed, not allowed in the payment's state, unknown payment, invalid amount. */
const REFUSED = new Set([400, 403, 404, 422]);

/** The answer to a capture or refund. 202 is a receipt: only the action tells the outcome. */
export function sendResult(answer: WireAnswer, expected?: string): FollowUpResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  const { status, body } = answer;
  if (REFUSED.has(status)) return { result: 'refused', why: `${whyOf(answer)}.` };
  if (status === UNAUTHORISED) return notExecuted(answer);
  const receipt = membersOf(body);
  if (status !== RECEIVED || !isOurs(receipt, expected)) return unclear(answer);
  const action = textOf(receipt.action_id);
  return { result: 'pending', ...(action !== undefined && { processor_reference: action }) };
}

/** Reads the actions of a payment. Every payment has at least its authorisation. */
export const toActionResult =
  (type: 'Capture' | 'Refund', code: FollowUpFailure) =>
  (answer: WireAnswer, expected?: string): InquireFollowUpResult => {
    if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
    const actions = itemsOf(answer.body);
    if (answer.status !== 200 || actions.length === 0) return unclear(answer);
    const ours = actions.filter((action) => action.type === type && isOurs(action, expected));
    const [action] = [...ours.filter(({ approved }) => approved === true), ...ours];
    return action ? outcomeOf(action, code) : { result: 'not_found' };
  };

/** An action without `approved` is not decided yet. */
function outcomeOf(action: Members, code: FollowUpFailure): InquireFollowUpResult {
  const reference = textOf(action.id);
  const response_code = textOf(action.response_code);
  const facts = {
    ...(reference !== undefined && { processor_reference: reference }),
    ...(response_code !== undefined && { codes: { response_code } }),
  };
  if (action.approved === true)
    return { result: 'approved', network_transaction_id: null, ...facts };
  return action.approved === false
    ? { result: 'declined', code, ...facts }
    : { result: 'pending', ...facts };
}
