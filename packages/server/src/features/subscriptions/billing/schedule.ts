import type { BillingPeriod } from '@florin/contract/resources/payment-subscriptions.ts';
import { platformLimits } from '@florin/contract/risk/amounts.ts';
import { Temporal } from 'temporal-polyfill';
import type { Micros } from '../../../platform/time/clock.ts';

/** Smallest charge in minor units of its currency, as for any payment. */
export const chargeMin = (currency: string): number => platformLimits(currency).min_cents;

const MICROS_PER_MILLI = 1_000;

const lengths: Readonly<
  Record<BillingPeriod, { readonly days: number } | { readonly months: number }>
> = {
  one_day: { days: 1 },
  seven_days: { days: 7 },
  fourteen_days: { days: 14 },
  thirty_days: { days: 30 },
  one_month: { months: 1 },
  three_months: { months: 3 },
  six_months: { months: 6 },
  twelve_months: { months: 12 },
};

/** Billing times: the anchor, then one after each period. */
export interface Schedule {
  readonly anchor: Micros;
  readonly period: BillingPeriod;
  /** IANA time zone in which days and months are counted. */
  readonly timezone: string;
}

/** A period; `end` is excluded. */
export interface Period {
  readonly start: Micros;
  readonly end: Micros;
}

const zonedTime = (at: Micros, timezone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(at / MICROS_PER_MILLI)).toZonedDateTimeISO(
    timezone,
  );

/**
 * Billing time `count` periods after the anchor (before it if negative), at the same local time.
 * Calculated from the anchor, so that a short month or a skipped hour does not shift later times.
 */
export function billingTime({ anchor, period, timezone }: Schedule, count: number): Micros {
  const length = lengths[period];
  const span = 'days' in length ? { days: count * length.days } : { months: count * length.months };
  const at = zonedTime(anchor, timezone).add(span).epochMilliseconds * MICROS_PER_MILLI;
  return at + (anchor - Math.floor(anchor / MICROS_PER_MILLI) * MICROS_PER_MILLI);
}

/** First billing time after `now`, at the earliest the anchor. */
export const nextBillingTime = (schedule: Schedule, now: Micros): Micros =>
  billingTime(schedule, Math.max(0, countAfter(schedule, now)));

/** Period that ends at a billing time. A period that ends at the anchor or earlier begins `now`. */
export function periodUntil(schedule: Schedule, end: Micros, now: Micros): Period {
  if (end <= schedule.anchor) return { start: now, end };
  return { start: billingTime(schedule, countAfter(schedule, end - 1) - 1), end };
}

/** Period that contains an instant; before the anchor, the first period. */
export function periodAt(schedule: Schedule, at: Micros): Period {
  const count = countAfter(schedule, Math.max(schedule.anchor, at));
  return { start: billingTime(schedule, count - 1), end: billingTime(schedule, count) };
}

/** Number of periods from the anchor to the first billing time after `now`. */
function countAfter(schedule: Schedule, now: Micros): number {
  let count = Math.floor((now - schedule.anchor) / meanLength(schedule.period));
  while (billingTime(schedule, count) > now) count--;
  while (billingTime(schedule, count) <= now) count++;
  return count;
}

const MICROS_PER_DAY = 24 * 60 * 60 * 1_000_000;
const MEAN_DAYS_OF_MONTH = 365.2425 / 12;

function meanLength(period: BillingPeriod): Micros {
  const length = lengths[period];
  const days = 'days' in length ? length.days : length.months * MEAN_DAYS_OF_MONTH;
  return days * MICROS_PER_DAY;
}

/**
 * Whether the anchor is on a later local day than `now`. Otherwise the first charge pays for a full
 * period.
 */
export function isLaterDay({ anchor, timezone }: Schedule, now: Micros): boolean {
  const dayOf = (at: Micros): Temporal.PlainDate => zonedTime(at, timezone).toPlainDate();
  return anchor > now && Temporal.PlainDate.compare(dayOf(anchor), dayOf(now)) > 0;
}

/**
 * Share of an amount for the time until the anchor. In minor units, rounded half up, between the
 * minimum charge and the amount.
 */
export function proratedAmount(
  schedule: Schedule,
  amount: number,
  currency: string,
  now: Micros,
): number {
  const period = { start: billingTime(schedule, -1), end: schedule.anchor };
  return Math.max(chargeMin(currency), Math.min(amount, shareOf(amount, period, now)));
}

/**
 * Share of an amount for the time from `now` to the end of the period. In minor units, rounded half
 * up; 0 after the end.
 */
export function shareOf(amount: number, { start, end }: Period, now: Micros): number {
  const remainingTime = BigInt(Math.max(0, end - now));
  const doubledAmount = (2n * BigInt(amount) * remainingTime) / BigInt(end - start);
  return Number((doubledAmount + 1n) / 2n);
}
