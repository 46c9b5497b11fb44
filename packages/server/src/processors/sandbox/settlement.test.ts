import { describe, expect, it } from 'vitest';
import { createSettlement } from './settlement.ts';

const settlement = createSettlement('http://network');
const line = {
  line: 1,
  entry: 'capture',
  reference: 'r1',
  authorisation: 'a1',
  amount: 2500,
  currency: 'USD',
};
const file = {
  day: '2026-11-20',
  part: 1,
  is_last: true,
  lines: [line],
  trailer: { count: 1, sum: '2500' },
};

const mapPart = (change: object) =>
  settlement.mapAnswer(
    { outcome: 'answered', status: 200, body: { ...file, ...change } },
    '2026-11-20/1',
  ).result;

describe('a part of a settlement file', () => {
  it.each<[string, object, string]>([
    ['is well-formed is read', {}, 'part'],
    [
      'has a sum that no number can be is read',
      { trailer: { count: 1, sum: '9'.repeat(17) } },
      'part',
    ],
    ['is of another day is not taken', { day: '2026-11-19' }, 'unknown'],
    ['has another number is not taken', { part: 2 }, 'unknown'],
    [
      'has a line that cannot be read is not taken',
      { lines: [{ ...line, amount: 0.5 }] },
      'unknown',
    ],
    ['has no sum is not taken', { trailer: { count: 1 } }, 'unknown'],
  ])('that %s', (_, change, result) => {
    expect(mapPart(change)).toBe(result);
  });
});
