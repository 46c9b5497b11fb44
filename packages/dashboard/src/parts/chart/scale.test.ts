import { describe, expect, it } from 'vitest';
import { everyNth, roundMax, ticksOf } from './scale.ts';

describe('the axis of a chart', () => {
  it.each([
    [0, 1],
    [3, 5],
    [10, 10],
    [11, 20],
    [2400, 2500],
    [99_999, 100_000],
  ])('of at most %d ends at %d', (largest, max) => {
    expect(roundMax(largest)).toBe(max);
  });

  it('has equal parts', () => {
    expect(ticksOf(20)).toEqual([0, 5, 10, 15, 20]);
  });

  it.each([
    [5, 10, 1],
    [31, 10, 4],
  ])('of %d values has room for %d labels: every %d', (count, labelsMax, nth) => {
    expect(everyNth(count, labelsMax)).toBe(nth);
  });
});
