import type { FollowUpFailure } from '@florin/contract/decline-codes.ts';
import {
  type FollowUpAnswer,
  type FollowUpRequest,
  networkPaths,
} from '@florin/contract/protocol/network.ts';
import { resultWithoutResponse, type WireAnswer, type WireRequest } from '../port/message.ts';
import type { FollowUpInput, FollowUpResult, FollowUps } from '../port/processor.ts';
import { isIdOrCode, unknownResult } from '../port/read-answer.ts';
import { timeouts } from './metadata.ts';
import { bodyOf, isNotFound, isRefused } from './read-answer.ts';

/** Endpoints and names of one kind of follow-up. */
interface FollowUpKind {
  readonly sendPath: (authorisation: string) => string;
  readonly inquiryPath: string;
  readonly declineCode: FollowUpFailure;
}

const refunds: FollowUpKind = {
  sendPath: networkPaths.refundsOf,
  inquiryPath: networkPaths.refunds,
  declineCode: 'refund_declined',
};
const captures: FollowUpKind = {
  sendPath: networkPaths.capturesOf,
  inquiryPath: networkPaths.captures,
  declineCode: 'capture_declined',
};

export const createRefunds = (simulatorUrl: string): Required<FollowUps> =>
  createFollowUps(simulatorUrl, refunds);
export const createCaptures = (simulatorUrl: string): Required<FollowUps> =>
  createFollowUps(simulatorUrl, captures);

const createFollowUps = (simulatorUrl: string, kind: FollowUpKind): Required<FollowUps> => ({
  send: {
    mapRequest: (input) => sendRequest(simulatorUrl + kind.sendPath(input.attempt_id), input),
    mapAnswer: (answer, expected) => resultOf(kind, answer, expected),
  },
  inquire: {
    mapRequest: ({ demand_id }) => ({
      method: 'GET',
      url: `${simulatorUrl}${kind.inquiryPath}/${demand_id}`,
      headers: {},
      timeout_ms: timeouts.inquire,
    }),
    mapAnswer: (answer, expected) =>
      isNotFound(answer) ? { result: 'not_found' } : resultOf(kind, answer, expected),
  },
});

function sendRequest(url: string, input: FollowUpInput): WireRequest {
  const { demand_id, amount, currency, final, simulate } = input;
  const body: FollowUpRequest = {
    reference: demand_id,
    amount,
    currency,
    ...(final !== undefined && { final }),
    ...(simulate !== undefined && { simulate }),
  };
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', url, headers, body, timeout_ms: timeouts.followUp };
}

function resultOf(
  { declineCode }: FollowUpKind,
  answer: WireAnswer,
  expected?: string,
): FollowUpResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  const body = bodyOf<FollowUpAnswer>(answer.status, answer.body, expected);
  if (isRefused(answer.status)) {
    return { result: 'refused', why: `The network answered ${answer.status}.` };
  }
  if (!body) return unknownResult(`The network answered ${answer.status}.`);
  const { result, response_code, network_transaction_id } = body;
  if (result === 'approved') {
    return {
      result,
      network_transaction_id: isIdOrCode(network_transaction_id) ? network_transaction_id : null,
    };
  }
  if (result === 'declined' && isIdOrCode(response_code)) return { result, code: declineCode };
  return unknownResult('The network answered in a form that cannot be read.');
}
