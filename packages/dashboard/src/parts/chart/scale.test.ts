import { describe, expect, it } from 'vitest';
import { areaOf, everyNth, roundMax, ticksOf } from './scale.ts';

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

describe('the area of a chart', () => {
  const texts = ['0,00 US$', '750,00 US$'];
  const areaIn = (width: number) => areaOf({ width, max: 10, count: 30, texts });

  it('leaves room for the longest text of the axis', () => {
    expect(areaIn(300).left).toBeGreaterThan(
      areaOf({ ...{ width: 300, max: 1, count: 30 }, texts: ['0'] }).left,
    );
  });

  it('has fewer labels on a phone, and all points within its width', () => {
    const [phone, desk] = [areaIn(300), areaIn(900)];
    expect(phone.labels_max).toBeLessThan(desk.labels_max);
    expect(phone.x(0)).toBeGreaterThan(phone.left);
    expect(phone.x(29)).toBeLessThan(phone.width);
  });

  it('is usual before the container is measured', () => {
    expect(areaIn(0).width).toBe(640);
  });
});
