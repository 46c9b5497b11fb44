import { problem } from '@florin/contract/errors.ts';
import type { BillingPeriod } from '@florin/contract/resources/payment-subscriptions.ts';
import type { Row } from '../../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../../platform/time/clock.ts';
import {
  billingTime,
  chargeMin,
  isLaterDay,
  nextBillingTime,
  type Period,
  periodAt,
  proratedAmount,
  type Schedule,
  shareOf,
} from './schedule.ts';

const DAY = seconds(24 * 60 * 60);

/** Microseconds between the notice and its charge. */
const NOTICE = 7 * DAY;
/** Minimum time until a charge for its notice. Sooner charges have only a receipt. */
const NOTICE_TIME_MIN = 13 * DAY;

/** Schedule of a confirmed subscription, which has an anchor and a period. */
export const scheduleOf = (row: Row): Schedule => ({
  anchor: microsOf(row.billing_cycle_anchor_at as string),
  period: row.billing_period as BillingPeriod,
  timezone: row.billing_timezone as string,
});

/** Start of the paid time: now, or the end of the trial. */
export const paidFrom = ({ trial_end_at }: Row, now: Micros): Micros =>
  trial_end_at ? Math.max(now, microsOf(trial_end_at)) : now;

/**
 * Throws 422 if the time before the anchor is longer than one period, because a prorated charge
 * pays for one period at most.
 */
export function requireOnePeriod(row: Row, from: Micros): void {
  if (!isProrated(row)) return;
  if (billingTime(scheduleOf(row), -1) <= from) return;
  throw problem(
    'invalid',
    'With create_prorations, billing_cycle_anchor_at must be within one billing period of the confirmation, or of the end of the trial.',
    { pointer: '/data/attributes/billing_cycle_anchor_at' },
  );
}

/** Throws 422 if `end_at` has passed. */
export function requireNotOver({ end_at }: Row, now: Micros): void {
  if (!end_at || microsOf(end_at) > now) return;
  throw problem(
    'invalid',
    'end_at has passed, so there is nothing to charge. Send a later end_at.',
    {
      pointer: '/data/attributes/end_at',
    },
  );
}

/**
 * Next billing time after a confirmation: the anchor if it is on a later day, otherwise the following billing time.
 * During a trial: the trial's end with `create_prorations`, otherwise the first billing time from then on.
 */
export function billingAfter(row: Row, now: Micros): Micros {
  const schedule = scheduleOf(row);
  const from = paidFrom(row, now);
  if (from > now) return isProrated(row) ? from : nextBillingTime(schedule, from - 1);
  if (isLaterDay(schedule, from)) return schedule.anchor;
  return nextBillingTime(schedule, Math.max(schedule.anchor, from));
}

const isProrated = ({ proration_behavior }: Row): boolean =>
  proration_behavior === 'create_prorations';

const currencyOf = ({ amount_currency }: Row): string => amount_currency as string;

/** Planned charge: its period, and its amount in minor units before credit. */
export interface PlannedCharge {
  readonly amount: number;
  readonly period: Period;
  /** Whether the charge pays a share for the time before the first full period. */
  readonly prorated: boolean;
}

/** Charge at the confirmation of a subscription; undefined if nothing is due then. */
export const firstCharge = (row: Row, now: Micros): PlannedCharge | undefined =>
  paidFrom(row, now) > now ? undefined : billedAt(row, now);

/**
 * Charge at the confirmation: the full current period. Before the anchor, the prorated time until
 * the anchor; undefined if that time is free.
 */
export function billedAt(row: Row, at: Micros): PlannedCharge | undefined {
  const schedule = scheduleOf(row);
  const amount = Number(row.amount_cents);
  if (!isLaterDay(schedule, at)) return { amount, period: periodAt(schedule, at), prorated: false };
  if (!isProrated(row)) return undefined;
  const period = { start: at, end: schedule.anchor };
  return { amount: proratedAmount(schedule, amount, currencyOf(row), at), period, prorated: true };
}

/**
 * Charge at a planned billing time, for the period that begins then. After a trial or pause that
 * ended within a period: the rest of the period at its share of the amount.
 */
export function dueAt(row: Row, at: Micros): PlannedCharge {
  const schedule = scheduleOf(row);
  const amount = Number(row.amount_cents);
  if (at < schedule.anchor) {
    const period = { start: at, end: schedule.anchor };
    return {
      amount: proratedAmount(schedule, amount, currencyOf(row), at),
      period,
      prorated: true,
    };
  }
  const fullPeriod = periodAt(schedule, at);
  if (fullPeriod.start === at) return { amount, period: fullPeriod, prorated: false };
  const share = shareOf(amount, fullPeriod, at);
  const period = { start: at, end: fullPeriod.end };
  return isTrialEnd(row, at)
    ? { amount: Math.max(chargeMin(currencyOf(row)), share), period, prorated: true }
    : { amount: share, period, prorated: false };
}

/**
 * End of the free rest of a trial's last period, for `proration_behavior` `none`; undefined if
 * nothing is free. Only trials that earlier versions confirmed plan a billing time for it.
 */
export function freeUntil(row: Row, at: Micros): Micros | undefined {
  if (isProrated(row) || !isTrialEnd(row, at)) return undefined;
  const nextTime = nextBillingTime(scheduleOf(row), at - 1);
  return nextTime === at ? undefined : nextTime;
}

const isTrialEnd = ({ trial_end_at }: Row, at: Micros): boolean =>
  Boolean(trial_end_at) && microsOf(trial_end_at as string) === at;

/** Planned billing time, or the next one if it has passed. */
export function upcomingBilling(row: Row, now: Micros): Micros {
  const planned = row.next_billing_at ? microsOf(row.next_billing_at) : now;
  return planned > now ? planned : nextBillingTime(scheduleOf(row), now);
}

/**
 * Columns of the next billing time. The payer gets a notice a week before, unless the charge is
 * less than 13 days away.
 */
export const billedNext = (at: Micros, now: Micros): Row => ({
  next_billing_at: instantText(at),
  notice_at: at - now >= NOTICE_TIME_MIN ? instantText(at - NOTICE) : null,
});
