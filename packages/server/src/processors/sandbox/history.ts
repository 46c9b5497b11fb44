import {
  type HistoryEntry,
  type HistoryList,
  historyKinds,
  networkPaths,
} from '@florin/contract/protocol/network.ts';
import type { HistoryInput, HistoryResult, PastChange } from '../port/history.ts';
import {
  type ProcessorOperation,
  resultWithoutResponse,
  type WireAnswer,
} from '../port/message.ts';
import { isIdOrCode, unknownResult } from '../port/read-answer.ts';
import { timeouts } from './metadata.ts';
import { bodyOf } from './read-answer.ts';

/** Lists what the network approved since an instant. */
export const createHistory = (
  simulatorUrl: string,
): ProcessorOperation<HistoryInput, HistoryResult> => ({
  mapRequest: ({ since, after }) => ({
    method: 'GET',
    url: simulatorUrl + networkPaths.history(since, after),
    headers: {},
    timeout_ms: timeouts.inquire,
  }),
  mapAnswer,
});

function mapAnswer(answer: WireAnswer): HistoryResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  const list = bodyOf<HistoryList>(answer.status, answer.body);
  if (!Array.isArray(list?.entries)) return unknownResult(`The network answered ${answer.status}.`);
  const changes = (list.entries as unknown[]).flatMap((entry) => changeOf(entry) ?? []);
  return changes.length === list.entries.length
    ? { result: 'page', changes }
    : unknownResult('The network sent a history in a form that cannot be read.');
}

function changeOf(entry: unknown): PastChange | undefined {
  const { kind, order, authorisation, ...rest } = (entry ?? {}) as Partial<HistoryEntry>;
  const { position, reference, amount, currency, final } = rest;
  if (!kind || !historyKinds.includes(kind) || typeof final !== 'boolean') return undefined;
  if (!Number.isSafeInteger(position) || !Number.isSafeInteger(amount)) return undefined;
  if (![reference, authorisation, currency].every(isIdOrCode)) return undefined;
  const change = { ...rest, kind, attempt_id: authorisation } as PastChange;
  return isIdOrCode(order?.merchant) && isIdOrCode(order?.payment)
    ? { ...change, order: { merchant_id: order.merchant, payment_id: order.payment } }
    : change;
}
