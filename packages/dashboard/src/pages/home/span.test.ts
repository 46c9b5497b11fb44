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
  ['Monday', '2027-03-08', '2027-03-01', '2027-03-07', '2027-02-22', '2027-02-28'],
  ['Tuesday', '2027-03-09', '2027-03-08', '2027-03-08', '2027-03-01', '2027-03-01'],
  ['Sunday', '2027-03-14', '2027-03-08', '2027-03-13', '2027-03-01', '2027-03-06'],
])(
  'on a %s, the week has complete days from Monday to yesterday, as the week before',
  (_day, today, from, to, fromBefore, toBefore) => {
    expect(weeksOf(today)).toEqual({
      now: { from, to },
      before: { from: fromBefore, to: toBefore },
    });
  },
);
