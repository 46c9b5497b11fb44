import {
  type DisputeList,
  type DisputeReason,
  disputeReasons,
  type NetworkDispute,
  networkPaths,
} from '@florin/contract/protocol/network.ts';
import type {
  DisputeNotification,
  Disputes,
  NotificationsResult,
  ResponseResult,
  UnreadableNotification,
} from '../port/disputes.ts';
import { resultWithoutResponse, type WireAnswer } from '../port/message.ts';
import { isIdOrCode, unknownResult } from '../port/read-answer.ts';
import { timeouts } from './metadata.ts';
import { bodyOf } from './read-answer.ts';

export const createDisputes = (simulatorUrl: string): Disputes => ({
  list: {
    mapRequest: ({ after }) => ({
      method: 'GET',
      url: simulatorUrl + networkPaths.disputesAfter(after),
      headers: {},
      timeout_ms: timeouts.inquire,
    }),
    mapAnswer: notificationsOf,
  },
  respond: {
    mapRequest: ({ reference, evidence, files = 0 }) => ({
      method: 'POST',
      url: simulatorUrl + networkPaths.disputeResponse(reference),
      headers: { 'content-type': 'application/json' },
      body: evidence === undefined ? { accept: true } : { evidence, files },
      timeout_ms: timeouts.inquire,
    }),
    mapAnswer: responseOf,
  },
});

function notificationsOf(answer: WireAnswer): NotificationsResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  const disputes = bodyOf<DisputeList>(answer.status, answer.body)?.disputes;
  if (!Array.isArray(disputes)) return unknownResult(`The network answered ${answer.status}.`);
  const positions = disputes.map((dispute) => dispute?.position).filter(isCount);
  if (disputes.length > 0 && positions.length === 0)
    return unknownResult('No dispute notification has a position.');
  let previousPosition = Math.min(...positions) - 1;
  const notifications = disputes.map((dispute) => {
    previousPosition = isCount(dispute?.position) ? dispute.position : previousPosition;
    return readDispute(dispute) ?? unreadableNotification(dispute, previousPosition);
  });
  return { result: 'notifications', notifications };
}

/** Notification that cannot be parsed. Without a position it gets the previous notification's position. */
const unreadableNotification = (
  dispute: Partial<NetworkDispute> | null,
  position: number,
): UnreadableNotification => ({
  position,
  reference: isIdOrCode(dispute?.reference) ? dispute.reference : `unreadable at ${position}`,
  unreadable: true,
});

function responseOf(answer: WireAnswer, expected?: string): ResponseResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  const reference = bodyOf<NetworkDispute>(answer.status, answer.body, expected)?.reference;
  return reference !== undefined
    ? { result: 'acknowledged' }
    : unknownResult(`The network answered ${answer.status}.`);
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value);

function readDispute(dispute: Partial<NetworkDispute> | null): DisputeNotification | undefined {
  const { position, reference, authorisation, amount, currency, reason, status } = dispute ?? {};
  if (!isCount(position) || !isCount(amount) || amount <= 0) return undefined;
  if (!isIdOrCode(reference) || !isIdOrCode(authorisation) || !isIdOrCode(currency))
    return undefined;
  if (!disputeReasons.includes(reason as DisputeReason)) return undefined;
  if (status !== 'open' && status !== 'won' && status !== 'lost') return undefined;
  return {
    position,
    reference,
    attempt_id: authorisation,
    amount,
    currency,
    reason: reason as DisputeReason,
    status,
  };
}
