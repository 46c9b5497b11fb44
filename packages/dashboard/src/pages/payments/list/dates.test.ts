import { expect, it } from 'vitest';
import { spanBefore, spanOf, spanOfPreset } from './dates.ts';
import { fromDay, untilDay } from './days.ts';

it.each([
  ['today', '2027-03-01', '2027-03-01', '2027-02-28', '2027-02-28'],
  ['last_7', '2027-02-23', '2027-03-01', '2027-02-16', '2027-02-22'],
  ['last_30', '2027-01-31', '2027-03-01', '2027-01-01', '2027-01-30'],
  ['this_month', '2027-03-01', '2027-03-01', '2027-02-28', '2027-02-28'],
  ['last_month', '2027-02-01', '2027-02-28', '2027-01-04', '2027-01-31'],
] as const)('%s has its days, and as many before', (preset, from, to, fromBefore, toBefore) => {
  const span = spanOfPreset(preset, '2027-03-01');
  expect([span, spanBefore(span)]).toEqual([
    { from, to },
    { from: fromBefore, to: toBefore },
  ]);
});

it('an address names a preset, or the days of both ends', () => {
  const today = '2027-03-01';
  expect(spanOf({ date: 'last_month' }, today)).toEqual({ from: '2027-02-01', to: '2027-02-28' });
  const from = { 'filter[created_at][gte]': fromDay('2027-03-27') };
  const both = { ...from, 'filter[created_at][lt]': untilDay('2027-03-28') };
  expect(spanOf(both, today)).toEqual({ from: '2027-03-27', to: '2027-03-28' });
  expect([spanOf(from, today), spanOf({ date: 'mugs' }, today)]).toEqual([undefined, undefined]);
});
