import { problem } from '@florin/contract/errors.ts';
import type { BillingPeriod } from '@florin/contract/resources/payment-subscriptions.ts';
import { type Micros, microsOf } from '../../kernel/clock.ts';
import type { Row } from '../../store/row.ts';
import {
  billingTime,
  isLaterDay,
  nextBillingTime,
  proratedAmount,
  type Schedule,
} from './schedule.ts';

/** The schedule of a subscription that was confirmed, which always has an anchor and a period. */
export const scheduleOf = (row: Row): Schedule => ({
  anchor: microsOf(row.billing_cycle_anchor_at as string),
  period: row.billing_period as BillingPeriod,
});

/** When the time begins that is paid for: now, or when the trial ends. */
export const paidFrom = ({ trial_end_at }: Row, now: Micros): Micros =>
  trial_end_at ? Math.max(now, microsOf(trial_end_at)) : now;

/** A charge pays for one period at most, so a proration cannot be for longer. */
export function requireOnePeriod(row: Row, from: Micros): void {
  if (row.proration_behavior !== 'create_prorations') return;
  if (billingTime(scheduleOf(row), -1) <= from) return;
  throw problem(
    'invalid',
    'With create_prorations, billing_cycle_anchor_at may be one billing period ahead at most: of the confirmation, or of the end of the trial.',
    { pointer: '/data/attributes/billing_cycle_anchor_at' },
  );
}

/** What is billed after a confirmation and its own charge: what a trial puts off, the first full period, or the next one. */
export function billingAfter(row: Row, now: Micros): Micros {
  const schedule = scheduleOf(row);
  const from = paidFrom(row, now);
  if (from > now && chargeFrom(row, from) !== undefined) return from;
  if (isLaterDay(schedule.anchor, from)) return schedule.anchor;
  return nextBillingTime(schedule, Math.max(schedule.anchor, from));
}

/** What is charged at once when a subscription is confirmed, in minor units; undefined where it is nothing. */
export const firstCharge = (row: Row, now: Micros): number | undefined =>
  paidFrom(row, now) > now ? undefined : chargeFrom(row, now);

/** The amount of a charge that is made at a time: in full, or before the anchor for the time until then, if for that at all. */
export function chargeFrom(row: Row, at: Micros): number | undefined {
  const schedule = scheduleOf(row);
  const amount = Number(row.amount_cents);
  if (!isLaterDay(schedule.anchor, at)) return amount;
  if (row.proration_behavior !== 'create_prorations') return undefined;
  return proratedAmount(schedule, amount, at);
}

/** When it is billed next: as it was planned, unless that has passed. */
export function upcomingBilling(row: Row, now: Micros): Micros {
  const planned = row.next_billing_at ? microsOf(row.next_billing_at) : now;
  return planned > now ? planned : nextBillingTime(scheduleOf(row), now);
}
