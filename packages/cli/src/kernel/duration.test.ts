import { expect, it } from 'vitest';
import { secondsOf } from './duration.ts';

it.each([
  ['90s', 90],
  ['15m', 900],
  ['12h', 43_200],
  ['31d', 2_678_400],
  ['2w', 1_209_600],
  ['0d', undefined],
  ['31', undefined],
  ['d', undefined],
  ['1.5d', undefined],
  ['-1d', undefined],
  ['1y', undefined],
])('%s is %s seconds', (span, seconds) => {
  expect(secondsOf(span)).toBe(seconds);
});
