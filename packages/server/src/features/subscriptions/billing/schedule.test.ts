import { currencyNumbers } from '@florin/contract/currencies.ts';
import {
  type BillingPeriod,
  billingPeriods,
} from '@florin/contract/resources/payment-subscriptions.ts';
import { platformLimits } from '@florin/contract/risk/amounts.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantText, microsOf, seconds } from '../../../platform/time/clock.ts';
import {
  billingTime,
  isLaterDay,
  nextBillingTime,
  periodAt,
  periodUntil,
  proratedAmount,
  type Schedule,
} from './schedule.ts';

const at = (day: string): number => microsOf(`${day}T10:30:00.000001Z`);
const schedule = (anchor: string, period: BillingPeriod): Schedule => ({
  anchor: at(anchor),
  period,
  timezone: 'UTC',
});
const daysOf = (from: Schedule, count: number): string[] =>
  Array.from({ length: count }, (_, n) => instantText(billingTime(from, n)).slice(0, 10));

const instant = fc.integer({ min: at('1999-01-01'), max: at('2099-12-31') });
const schedules = fc.record({
  anchor: instant,
  period: fc.constantFrom(...billingPeriods),
  timezone: fc.constantFrom('UTC', 'America/New_York', 'Asia/Kolkata'),
});

describe('the billing times of a subscription', () => {
  it.each<[BillingPeriod, string, string[]]>([
    ['one_day', '2028-02-28', ['2028-02-28', '2028-02-29', '2028-03-01']],
    ['seven_days', '2026-12-28', ['2026-12-28', '2027-01-04', '2027-01-11']],
    ['fourteen_days', '2026-03-20', ['2026-03-20', '2026-04-03', '2026-04-17']],
    ['thirty_days', '2026-01-31', ['2026-01-31', '2026-03-02', '2026-04-01']],
    [
      'one_month',
      '2027-12-31',
      ['2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30'],
    ],
    ['three_months', '2026-11-30', ['2026-11-30', '2027-02-28', '2027-05-30', '2027-08-30']],
    ['six_months', '2026-08-31', ['2026-08-31', '2027-02-28', '2027-08-31', '2028-02-29']],
    [
      'twelve_months',
      '2028-02-29',
      ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
    ],
  ])('of %s from %s on', (period, anchor, days) => {
    expect(daysOf(schedule(anchor, period), days.length)).toEqual(days);
  });

  it("keep the anchor's time of day, to the microsecond", () => {
    fc.assert(
      fc.property(schedules, fc.integer({ min: -50, max: 150 }), (schedule, count) => {
        const timeTextOf = (instant: number): string => instantText(instant).slice(10);
        const utc = { ...schedule, timezone: 'UTC' };
        expect(timeTextOf(billingTime(utc, count))).toBe(timeTextOf(schedule.anchor));
      }),
    );
  });

  it("fall on the anchor's day in each month that has it, or else on the last day", () => {
    fc.assert(
      fc.property(instant, fc.integer({ min: 0, max: 500 }), (anchor, count) => {
        const dayOf = (instant: number): number => Number(instantText(instant).slice(8, 10));
        const dueTime = billingTime({ anchor, period: 'one_month', timezone: 'UTC' }, count);
        const isLastOfMonth = dayOf(dueTime + seconds(24 * 60 * 60)) === 1;
        expect(
          dayOf(dueTime) === dayOf(anchor) || (isLastOfMonth && dayOf(dueTime) < dayOf(anchor)),
        ).toBe(true);
      }),
    );
  });

  it('the next one is the first one after now and not before the anchor', () => {
    fc.assert(
      fc.property(schedules, instant, (schedule, now) => {
        const nextTime = nextBillingTime(schedule, now);
        expect(nextTime).toBeGreaterThan(now);
        expect(nextTime).toBeGreaterThanOrEqual(schedule.anchor);
        if (nextTime > schedule.anchor) {
          const { start, end } = periodUntil(schedule, nextTime, now);
          expect(start).toBeLessThanOrEqual(now);
          expect([end, nextBillingTime(schedule, start)]).toEqual([nextTime, nextTime]);
          expect(periodAt(schedule, now)).toEqual({ start, end });
        }
      }),
    );
  });

  it('are one period apart, however often they are calculated from the previous one', () => {
    fc.assert(
      fc.property(schedules, (schedule) => {
        let dueTime = schedule.anchor;
        for (let count = 1; count <= 40; count++) {
          dueTime = nextBillingTime(schedule, dueTime);
          expect(dueTime).toBe(billingTime(schedule, count));
        }
      }),
    );
  });
});

describe('in a time zone with clock changes', () => {
  const times = (
    anchor: string,
    period: BillingPeriod,
    timezone: string,
    count: number,
  ): string[] =>
    Array.from({ length: count }, (_, n) =>
      instantText(billingTime({ anchor: microsOf(anchor), period, timezone }, n)).slice(0, 16),
    );
  it.each<[string, string, BillingPeriod, string, string[]]>([
    [
      'keeps its time of the day there when summer begins',
      '2027-03-27T08:00:00Z',
      'one_day',
      'Europe/Berlin',
      ['2027-03-27T08:00', '2027-03-28T07:00', '2027-03-29T07:00'],
    ],
    [
      'keeps it when summer ends',
      '2027-09-30T22:30:00Z',
      'one_month',
      'Europe/Berlin',
      ['2027-09-30T22:30', '2027-10-31T23:30', '2027-11-30T23:30'],
    ],
    [
      'is an hour later on a day that has no such time, and on that day alone',
      '2027-03-27T01:30:00Z',
      'one_day',
      'Europe/Berlin',
      ['2027-03-27T01:30', '2027-03-28T01:30', '2027-03-29T00:30'],
    ],
    [
      'takes the first of two such times',
      '2027-10-30T00:30:00Z',
      'one_day',
      'Europe/Berlin',
      ['2027-10-30T00:30', '2027-10-31T00:30', '2027-11-01T01:30'],
    ],
    [
      'knows the last day of the month there, which is another one in UTC',
      '2027-01-31T15:30:00Z',
      'one_month',
      'Asia/Tokyo',
      ['2027-01-31T15:30', '2027-02-28T15:30', '2027-03-31T15:30'],
    ],
    [
      'knows the last day of the month there, which comes later in UTC',
      '2027-02-01T04:30:00Z',
      'one_month',
      'America/New_York',
      ['2027-02-01T04:30', '2027-03-01T04:30', '2027-04-01T03:30'],
    ],
  ])('%s', (_story, anchor, period, timezone, expected) => {
    expect(times(anchor, period, timezone, expected.length)).toEqual(expected);
  });
});

describe('the paid period', () => {
  it('ends at a billing time and begins at the previous one', () => {
    const monthly = schedule('2026-01-31', 'one_month');
    expect(periodUntil(monthly, at('2026-03-31'), at('2026-03-10'))).toEqual({
      start: at('2026-02-28'),
      end: at('2026-03-31'),
    });
  });
  it('begins now if it is before the anchor', () => {
    const monthly = schedule('2026-05-31', 'one_month');
    const now = at('2026-05-10');
    expect(periodUntil(monthly, monthly.anchor, now)).toEqual({ start: now, end: monthly.anchor });
  });
});

it.each([
  ['2026-05-10T00:00:00Z', '2026-05-10T23:59:59.999999Z', false],
  ['2026-05-10T23:59:59Z', '2026-05-11T00:00:00Z', true],
  ['2026-05-10T23:59:59Z', '2026-05-01T00:00:00Z', false],
])('isLater', (now, anchor, later) => {
  const monthly = { anchor: microsOf(anchor), period: 'one_month', timezone: 'UTC' } as const;
  expect(isLaterDay(monthly, microsOf(now))).toBe(later);
});

describe('the amount until the anchor', () => {
  const monthly = schedule('2026-05-01', 'one_month');
  it.each([
    ['the whole period', '2026-04-01', 3000, 3000],
    ['half of it', '2026-04-16', 3000, 1500],
    ['half of an odd amount, rounded half up', '2026-04-16', 3001, 1501],
    ['a day', '2026-04-30', 3000, 100],
    ['so little that it could not be charged', '2026-04-30', 30, 10],
    ['more than a period', '2026-02-01', 3000, 3000],
  ])('for %s', (_time, now, amount, proratedCents) => {
    expect(proratedAmount(monthly, amount, 'USD', at(now))).toBe(proratedCents);
  });
  it.each([...currencyNumbers.keys()])('in %s is at least the smallest payment', (currency) => {
    const minimum = platformLimits(currency).min_cents;
    const monthEnd = at('2026-04-30');
    expect(proratedAmount(monthly, minimum, currency, monthEnd)).toBe(minimum);
    expect(proratedAmount(monthly, 31 * minimum, currency, monthEnd)).toBeGreaterThanOrEqual(
      minimum,
    );
  });
  it('is exact for the largest amounts, at least 10 and at most the whole amount', () => {
    fc.assert(
      fc.property(
        schedules,
        fc.integer({ min: 10, max: Number.MAX_SAFE_INTEGER }),
        fc.integer({ min: 1, max: 400 * 24 * 60 * 60 }),
        (schedule, amount, remaining_s) => {
          const now = schedule.anchor - seconds(remaining_s);
          const proratedCents = proratedAmount(schedule, amount, 'USD', now);
          expect(Number.isSafeInteger(proratedCents)).toBe(true);
          expect(proratedCents).toBeGreaterThanOrEqual(10);
          expect(proratedCents).toBeLessThanOrEqual(amount);
        },
      ),
    );
  });
});
