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
} from '../disputes.ts';
import { type WireAnswer, withoutResponse } from '../message.ts';
import { timeouts } from './metadata.ts';
import { bodyOf, isToken, unknownResult } from './read-answer.ts';

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
    mapRequest: ({ reference, evidence }) => ({
      method: 'POST',
      url: simulatorUrl + networkPaths.disputeResponse(reference),
      headers: { 'content-type': 'application/json' },
      body: evidence === undefined ? { accept: true } : { evidence },
      timeout_ms: timeouts.inquire,
    }),
    mapAnswer: responseOf,
  },
});

function notificationsOf(answer: WireAnswer): NotificationsResult {
  if (answer.outcome !== 'answered') return withoutResponse(answer);
  const list = bodyOf<DisputeList>(answer.status, answer.body)?.disputes;
  if (!Array.isArray(list)) return unknownResult(`The network answered ${answer.status}.`);
  const positions = list.map((one) => one?.position).filter(isCount);
  if (list.length > 0 && positions.length === 0)
    return unknownResult('No news of disputes has a position.');
  let before = Math.min(...positions) - 1;
  const notifications = list.map((one) => {
    before = isCount(one?.position) ? one.position : before;
    return readDispute(one) ?? unreadableNotification(one, before);
  });
  return { result: 'notifications', notifications };
}

/** Notification that cannot be parsed. Without a position it gets the previous notification's position. */
const unreadableNotification = (
  given: Partial<NetworkDispute> | null,
  position: number,
): UnreadableNotification => ({
  position,
  reference: isToken(given?.reference) ? given.reference : `unreadable at ${position}`,
  unreadable: true,
});

function responseOf(answer: WireAnswer, expected?: string): ResponseResult {
  if (answer.outcome !== 'answered') return withoutResponse(answer);
  const about = bodyOf<NetworkDispute>(answer.status, answer.body, expected)?.reference;
  return about !== undefined
    ? { result: 'acknowledged' }
    : unknownResult(`The network answered ${answer.status}.`);
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value);

function readDispute(given: Partial<NetworkDispute> | null): DisputeNotification | undefined {
  const { position, reference, authorisation, amount, currency, reason, status } = given ?? {};
  if (!isCount(position) || !isCount(amount) || amount <= 0) return undefined;
  if (!isToken(reference) || !isToken(authorisation) || !isToken(currency)) return undefined;
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
