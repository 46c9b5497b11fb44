import type { BillingPeriod } from '@florin/contract/resources/payment-subscriptions.ts';
import { type Micros, seconds } from '../../kernel/clock.ts';

/** Least amount of a charge in minor units, as for any payment. */
const CHARGE_MIN = 10;
const DAY = seconds(24 * 60 * 60);
const MICROS_PER_MILLI = 1_000;

const lengths: Readonly<
  Record<BillingPeriod, { readonly days: number } | { readonly months: number }>
> = {
  one_day: { days: 1 },
  seven_days: { days: 7 },
  fourteen_days: { days: 14 },
  thirty_days: { days: 30 },
  one_month: { months: 1 },
  six_months: { months: 6 },
  twelve_months: { months: 12 },
};

/** When a subscription is billed: at its anchor, and one period after another from there on. */
export interface Schedule {
  readonly anchor: Micros;
  readonly period: BillingPeriod;
}

/** A time that is paid for: from `start` to just before `end`. */
export interface Period {
  readonly start: Micros;
  readonly end: Micros;
}

/**
 * The billing time `count` periods after the anchor, or before it where `count` is negative. Always reckoned
 * from the anchor, so that a month that is too short for its day of the month moves no later one.
 */
export function billingTime({ anchor, period }: Schedule, count: number): Micros {
  const length = lengths[period];
  return 'days' in length
    ? anchor + count * length.days * DAY
    : addMonths(anchor, count * length.months);
}

/** The same day and time of another month in UTC; the last day of the month where it has no such day. */
function addMonths(at: Micros, months: number): Micros {
  const midnight = Math.floor(at / DAY) * DAY;
  const date = new Date(midnight / MICROS_PER_MILLI);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months + 1, 0);
  date.setUTCDate(Math.min(day, date.getUTCDate()));
  return date.getTime() * MICROS_PER_MILLI + (at - midnight);
}

/** The first billing time after `now`; the anchor itself where that is still to come. */
export const nextBillingTime = (schedule: Schedule, now: Micros): Micros =>
  billingTime(schedule, Math.max(0, countAfter(schedule, now)));

/** The period that ends at a billing time; one that ends at the anchor, or before it, begins `now`. */
export function periodUntil(schedule: Schedule, end: Micros, now: Micros): Period {
  if (end <= schedule.anchor) return { start: now, end };
  return { start: billingTime(schedule, countAfter(schedule, end - 1) - 1), end };
}

/** How many periods after the anchor the first billing time after `now` is. */
function countAfter(schedule: Schedule, now: Micros): number {
  let count = Math.floor((now - schedule.anchor) / meanLength(schedule.period));
  while (billingTime(schedule, count) > now) count--;
  while (billingTime(schedule, count) <= now) count++;
  return count;
}

const MEAN_DAYS_OF_MONTH = 365.2425 / 12;

function meanLength(period: BillingPeriod): Micros {
  const length = lengths[period];
  return 'days' in length ? length.days * DAY : length.months * MEAN_DAYS_OF_MONTH * DAY;
}

/** Whether the anchor lies on a later day than `now`, in UTC: until then a first charge is due at once. */
export const isLaterDay = (anchor: Micros, now: Micros): boolean =>
  Math.floor(anchor / DAY) > Math.floor(now / DAY);

/**
 * The part of an amount for the time until the anchor, of the period that ends there: in minor units, rounded
 * half up, never less than a charge may be nor more than the amount itself.
 */
export function proratedAmount(schedule: Schedule, amount: number, now: Micros): number {
  const period = BigInt(schedule.anchor - billingTime(schedule, -1));
  const twice = (2n * BigInt(amount) * BigInt(schedule.anchor - now)) / period;
  return Math.max(CHARGE_MIN, Math.min(amount, Number((twice + 1n) / 2n)));
}
