import { expect, it } from 'vitest';
import { trendsOf } from './trend.ts';

const minutesOf = (...server: number[]) => server.map((mb) => ({ server: mb }));

it('compares the last quarter with the second, and leaves out the start', () => {
  expect(trendsOf(minutesOf(10, 20, 100, 100, 300, 300, 110, 110))).toEqual([
    { process: 'server', before: 100, after: 110, growth: expect.closeTo(0.1) },
  ]);
});

it('shows memory that shrinks as negative growth', () => {
  expect(trendsOf(minutesOf(10, 200, 200, 100))[0]?.growth).toBeCloseTo(-0.5);
});

it('does not call a process flat that has ended', () => {
  expect(trendsOf([...minutesOf(10, 200, 200), {}])[0]?.growth).toBeNaN();
});
