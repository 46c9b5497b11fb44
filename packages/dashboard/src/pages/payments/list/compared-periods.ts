import type { Parameters } from '../../../api/queries.ts';
import type { Span } from '../../home/span.ts';
import { spanBefore, spanOf } from './dates.ts';
import { fromDay, localDay, untilDay } from './days.ts';

/** Days, with the instants at which a list of their payments begins and ends. */
export interface Period {
  readonly span: Span;
  readonly from: string;
  /** First instant that is not included. */
  readonly until: string;
}

export interface ComparedPeriods {
  readonly now: Period;
  readonly before: Period;
  /** Instant of today at which both last days end; undefined if all days are over. */
  readonly cut_at: Date | undefined;
}

/**
 * Returns the days of an address, and as many days before. If today is the last day,
 * both last days end at the same time of day. Undefined for days to come, or without both ends.
 */
export function comparedPeriods(search: Parameters, now: Date): ComparedPeriods | undefined {
  const today = localDay(now);
  const chosen = spanOf(search, today);
  if (!chosen || chosen.from > today) return undefined;
  const isOver = chosen.to < today;
  const span = isOver ? chosen : { from: chosen.from, to: today };
  const cut_at = isOver ? undefined : endOfMinute(now);
  return { now: periodOf(span, cut_at), before: periodOf(spanBefore(span), cut_at), cut_at };
}

function periodOf(span: Span, cut_at: Date | undefined): Period {
  const until = cut_at ? atTimeOf(span.to, cut_at) : untilDay(span.to);
  return { span, from: fromDay(span.from), until };
}

/** Instant of a day in the local time zone, at the time of day of `at`. */
function atTimeOf(day: string, at: Date): string {
  const instant = new Date(fromDay(day));
  instant.setHours(at.getHours(), at.getMinutes());
  return instant.toISOString();
}

/** The end of the minute, so that the newest payments count. */
function endOfMinute(at: Date): Date {
  const minute = new Date(at);
  minute.setMinutes(at.getMinutes() + 1, 0, 0);
  return minute;
}
