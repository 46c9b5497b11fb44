import { describe, expect, it } from 'vitest';
import { countBy } from './count-by.ts';
import { longestGap, percentile } from './figures.ts';

describe('the longest gap', () => {
  it.each([
    ['spans the fault', [0, 100, 900, 1_000], 150, 950, 800],
    ['ignores what was before', [0, 5_000, 5_100, 5_200], 5_050, 5_150, 100],
    ['ignores what comes after', [0, 100, 200, 9_000], 50, 150, 100],
    ['counts from the last success before a fault', [0, 700], 600, 650, 700],
    ['sorts', [700, 0], 600, 650, 700],
    ['is nothing without successes', [], 0, 1, 0],
  ])('%s', (_what, times, from, until, expected) => {
    expect(longestGap(times, from, until)).toBe(expected);
  });
});

it.each([
  [[3, 1, 2], 0.5, 2],
  [[3, 1, 2], 0.99, 3],
  [[7], 0.5, 7],
  [[4, 1, 3, 2], 0.5, 2],
])('the percentile of %j at %d is %d', (numbers, share, expected) => {
  expect(percentile(numbers, share)).toBe(expected);
});

it('counts equal texts', () => {
  expect(countBy(['503', 'no response', '503'])).toBe('2 503, 1 no response');
  expect(countBy([])).toBe('none');
});
