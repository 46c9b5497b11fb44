import type { SkipReason } from '@florin/contract/resources/subscription-periods.ts';
import type { Row } from '../../platform/database/row.ts';
import { type Micros, microsOf } from '../../platform/time/clock.ts';
import { dueAt } from './billing/billing.ts';
import type { Period } from './billing/schedule.ts';

/** Consecutive periods without a charge: their value in minor units, and the reason. */
export interface SkippedPeriod {
  readonly period: Period;
  readonly amount: number;
  readonly skipped: SkipReason;
}

/**
 * Maximum number of periods per step. A daily subscription that was unbilled for years must not
 * delay others.
 */
const PERIODS_MAX = 4_000;

/** Time at which billing continues after a period: its end, or the end of the pause around it. */
export function billedAfter({ last_paused_at, last_active_at }: Row, end: Micros): Micros {
  if (!last_paused_at || !last_active_at) return end;
  const [pausedTime, resumedTime] = [microsOf(last_paused_at), microsOf(last_active_at)];
  return pausedTime < end && end < resumedTime ? resumedTime : end;
}

/** Due periods that end by `limit` and are not charged, joined into one. */
export function skippedUntil(row: Row, limit: Micros, reason: SkipReason): SkippedPeriod[] {
  const start = row.next_billing_at ? microsOf(row.next_billing_at) : limit;
  let end = start;
  for (let count = 0; count < PERIODS_MAX && end < limit; count++) {
    const nextBilledTime = billedAfter(row, dueAt(row, end).period.end);
    if (nextBilledTime > limit) break;
    end = nextBilledTime;
  }
  return skippedTime(row, start, end, reason);
}

/** Uncharged time from `start` on; empty if there is none. */
export const skippedTime = (
  row: Row,
  start: Micros,
  end: Micros,
  reason: SkipReason,
): SkippedPeriod[] =>
  end > start
    ? [{ period: { start, end }, amount: priceOfTime(row, start, end), skipped: reason }]
    : [];

/** Value of a time in minor units. Only the elapsed part of the last period counts. */
function priceOfTime(row: Row, start: Micros, end: Micros): number {
  let [at, amount] = [start, 0];
  for (let count = 0; count < PERIODS_MAX && at < end; count++) {
    const dueBilling = dueAt(row, at);
    const amountAfterEnd = dueBilling.period.end > end ? dueAt(row, end).amount : 0;
    [at, amount] = [dueBilling.period.end, amount + dueBilling.amount - amountAfterEnd];
  }
  return amount;
}
