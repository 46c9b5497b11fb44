import { describe, expect, it } from 'vitest';
import { comparedPeriods } from './compared-periods.ts';
import { fromDay, untilDay } from './days.ts';

const now = new Date(2027, 2, 1, 14, 5, 31);
const at = (month: number, day: number, hour: number, minute: number) =>
  new Date(2027, month - 1, day, hour, minute).toISOString();

describe('the periods of a comparison', () => {
  it.each([
    [
      'today',
      { date: 'today' },
      [at(3, 1, 0, 0), at(3, 1, 14, 6)],
      [at(2, 28, 0, 0), at(2, 28, 14, 6)],
    ],
    [
      'a week',
      { date: 'last_7' },
      [at(2, 23, 0, 0), at(3, 1, 14, 6)],
      [at(2, 16, 0, 0), at(2, 22, 14, 6)],
    ],
    [
      'days up to tomorrow',
      {
        'filter[created_at][gte]': fromDay('2027-02-28'),
        'filter[created_at][lt]': untilDay('2027-03-02'),
      },
      [at(2, 28, 0, 0), at(3, 1, 14, 6)],
      [at(2, 26, 0, 0), at(2, 27, 14, 6)],
    ],
  ])('end at the same time of day if today is the last day: %s', (_what, search, ...expected) => {
    const periods = comparedPeriods(search, now);
    expect([periods?.now, periods?.before].map((it) => [it?.from, it?.until])).toEqual(expected);
    expect(periods?.cut_at?.toISOString()).toBe(at(3, 1, 14, 6));
  });

  it('are complete days if all of them are over', () => {
    const periods = comparedPeriods({ date: 'last_month' }, now);
    expect([periods?.now.until, periods?.before.until]).toEqual([
      fromDay('2027-03-01'),
      fromDay('2027-02-01'),
    ]);
    expect(periods?.cut_at).toBeUndefined();
  });

  it('do not exist for days to come, or without an end', () => {
    const from = { 'filter[created_at][gte]': fromDay('2027-03-02') };
    expect(
      comparedPeriods({ ...from, 'filter[created_at][lt]': untilDay('2027-03-03') }, now),
    ).toBeUndefined();
    expect(comparedPeriods(from, now)).toBeUndefined();
  });
});
