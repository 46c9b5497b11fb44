import { expect, it } from 'vitest';
import { daysOf, lastDays } from './last-days.ts';

const at = (instant: string): number => Date.parse(instant) * 1_000;

it.each([
  ['UTC', '2027-03-01T12:00:00Z', 1, 0, ['2027-03-01', '2027-03-01']],
  ['UTC', '2027-03-01T12:00:00Z', 30, 0, ['2027-01-31', '2027-03-01']],
  ['UTC', '2027-03-01T12:00:00Z', 7, 1, ['2027-02-16', '2027-02-22']],
  ['Asia/Tokyo', '2027-03-01T15:00:00Z', 1, 0, ['2027-03-02', '2027-03-02']],
  ['America/New_York', '2027-03-01T04:59:59Z', 2, 0, ['2027-02-27', '2027-02-28']],
  ['America/New_York', '2027-03-14T12:00:00Z', 2, 1, ['2027-03-11', '2027-03-12']],
] as const)(
  'in %s at %s the last %d days, %d times before, are %j',
  (zone, now, days, before, [from, to]) => {
    expect(lastDays(at(now), zone, days, before)).toEqual({ from, to, timezone: zone });
  },
);

it.each([
  ['2027-02-27', '2027-03-01', ['2027-02-27', '2027-02-28', '2027-03-01']],
  ['2027-03-01', '2027-03-01', ['2027-03-01']],
  ['2027-03-02', '2027-03-01', []],
])('the days from %s to %s are %j', (from, to, days) => {
  expect(daysOf({ from, to })).toEqual(days);
});
