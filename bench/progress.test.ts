import { expect, it } from 'vitest';
import { countOf, progressText } from './progress.ts';

it('tells the rate and the time that is left of a step that began with some work done', () => {
  const text = progressText('storing payments', {
    done: 60_000,
    total: 1_000_000,
    begun: 10_000,
    seconds: 5,
  });
  expect(text).toBe('storing payments: 60,000 of 1,000,000, 10,000 a second, 94 s left');
});

it('a noun is singular beside one', () => {
  expect([1, 1_000].map((count) => countOf(count, 'round'))).toEqual(['1 round', '1,000 rounds']);
});
