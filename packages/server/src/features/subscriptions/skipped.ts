import type { SkipReason } from '@florin/contract/resources/subscription-periods.ts';
import type { Row } from '../../platform/database/row.ts';
import { type Micros, microsOf } from '../../platform/time/clock.ts';
import { dueAt } from './billing/billing.ts';
import type { Period } from './billing/schedule.ts';

/** A period, or several in a row, with what it costs in minor units, and why nothing is charged for it. */
export interface SkippedPeriod {
  readonly period: Period;
  readonly amount: number;
  readonly skipped: SkipReason;
}

/** Periods of one step at most, so that a daily subscription which nothing was billed for in years does not hold up others. */
const PERIODS_MAX = 4_000;

/** When billing goes on after a period that has ended: at once, or with the end of the pause in which it has ended. */
export function billedAfter({ last_paused_at, last_active_at }: Row, end: Micros): Micros {
  if (!last_paused_at || !last_active_at) return end;
  const [paused, resumed] = [microsOf(last_paused_at), microsOf(last_active_at)];
  return paused < end && end < resumed ? resumed : end;
}

/** The periods due that end by a time, which nothing is charged for: as one. */
export function skippedUntil(row: Row, limit: Micros, skipped: SkipReason): SkippedPeriod[] {
  const start = row.next_billing_at ? microsOf(row.next_billing_at) : limit;
  let end = start;
  for (let count = 0; count < PERIODS_MAX && end < limit; count++) {
    const next = billedAfter(row, dueAt(row, end).period.end);
    if (next > limit) break;
    end = next;
  }
  return skippedTime(row, start, end, skipped);
}

/** A time that nothing is charged for, from when something falls due; none where it is over as it begins. */
export const skippedTime = (
  row: Row,
  start: Micros,
  end: Micros,
  skipped: SkipReason,
): SkippedPeriod[] =>
  end > start ? [{ period: { start, end }, amount: worthOfTime(row, start, end), skipped }] : [];

/** What a time costs, in minor units: of a period that it ends in, less what is left of that. */
function worthOfTime(row: Row, start: Micros, end: Micros): number {
  let [at, amount] = [start, 0];
  for (let count = 0; count < PERIODS_MAX && at < end; count++) {
    const due = dueAt(row, at);
    const rest = due.period.end > end ? dueAt(row, end).amount : 0;
    [at, amount] = [due.period.end, amount + due.amount - rest];
  }
  return amount;
}
