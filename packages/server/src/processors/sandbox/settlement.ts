import { type SettlementEntry, settlementEntries } from '@florin/contract/ledger.ts';
import {
  networkPaths,
  type SettlementFilePart,
  type SettlementLine,
} from '@florin/contract/protocol/network.ts';
import {
  type ProcessorOperation,
  resultWithoutResponse,
  type WireAnswer,
} from '../port/message.ts';
import { isIdOrCode, unknownResult } from '../port/read-answer.ts';
import {
  partName,
  type SettledLine,
  type SettlementInput,
  type SettlementResult,
} from '../port/settlement.ts';
import { timeouts } from './metadata.ts';
import { bodyOf, isNotFound } from './read-answer.ts';

export const createSettlement = (
  simulatorUrl: string,
): ProcessorOperation<SettlementInput, SettlementResult> => ({
  mapRequest: ({ day, part }) => ({
    method: 'GET',
    url: simulatorUrl + networkPaths.settlement(day, part),
    headers: {},
    timeout_ms: timeouts.inquire,
  }),
  mapAnswer: (answer, expected = '') => mapPart(answer, expected),
});

const isCount = (value: unknown): value is number => Number.isSafeInteger(value);

/** Whether the text is an integer of at most 18 digits, which fits a bigint. */
const isSum = (value: unknown): value is string =>
  typeof value === 'string' && /^(?:0|-?[1-9]\d{0,17})$/.test(value);

function mapPart(answer: WireAnswer, expected: string): SettlementResult {
  if (answer.outcome !== 'answered') return resultWithoutResponse(answer);
  if (isNotFound(answer)) return { result: 'not_ready' };
  const file = bodyOf<SettlementFilePart>(answer.status, answer.body);
  if (!file) return unknownResult(`The network answered ${answer.status}.`);
  const { lines: sentLines, trailer, is_last, day = '', part = 0 } = file;
  if (partName({ day, part }) !== expected)
    return unknownResult('The network answered with another part.');
  const lines = Array.isArray(sentLines) ? sentLines.map(readLine) : [];
  const readableLines = lines.filter((line) => line !== undefined);
  const isWhole = Array.isArray(sentLines) && readableLines.length === lines.length;
  if (!isWhole || !isCount(trailer?.count) || !isSum(trailer.sum)) {
    return unknownResult('The network sent a settlement file in a form that cannot be read.');
  }
  const { count, sum } = trailer;
  return {
    result: 'part',
    lines: readableLines,
    is_last: is_last === true,
    trailer: { count, sum },
  };
}

function readLine(sentLine: Partial<SettlementLine>): SettledLine | undefined {
  const { line, entry, reference, authorisation, amount, currency } = sentLine ?? {};
  if (!isCount(line) || !isCount(amount)) return undefined;
  if (!isIdOrCode(reference) || !isIdOrCode(authorisation) || !isIdOrCode(currency))
    return undefined;
  if (!settlementEntries.includes(entry as SettlementEntry)) return undefined;
  return {
    line,
    entry: entry as SettlementEntry,
    reference,
    attempt_id: authorisation,
    amount,
    currency,
  };
}
