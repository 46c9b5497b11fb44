import { expect, it } from 'vitest';
import { daysOf, weeksOf } from './span.ts';

it('a span has every day from first to last, over months and clock changes', () => {
  expect(daysOf({ from: '2027-02-27', to: '2027-03-02' })).toEqual([
    '2027-02-27',
    '2027-02-28',
    '2027-03-01',
    '2027-03-02',
  ]);
  expect(daysOf({ from: '2027-01-01', to: '2027-12-31' })).toHaveLength(365);
  expect(daysOf({ from: '2027-01-01', to: '2027-01-01' })).toEqual(['2027-01-01']);
});

it.each([
  ['2027-03-01', '2027-03-01', '2027-02-22', '2027-02-22'],
  ['2027-03-07', '2027-03-01', '2027-02-22', '2027-02-28'],
])(
  'the week of %s begins on Monday, and has the same days a week before',
  (to, from, fromBefore, toBefore) => {
    expect(weeksOf(to)).toEqual({ now: { from, to }, before: { from: fromBefore, to: toBefore } });
  },
);
