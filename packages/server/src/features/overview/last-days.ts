import type { Micros } from '../../platform/time/clock.ts';
import type { DaySpan } from './sql.ts';

const DAY_MS = 86_400_000;

/**
 * The last `days` days in a time zone, including today; `periodsBack` shifts the range back by its own
 * length.
 */
export function lastDays(now: Micros, timezone: string, days: number, periodsBack = 0): DaySpan {
  const to = Date.parse(dayAt(now, timezone)) - periodsBack * days * DAY_MS;
  return { from: textOf(to - (days - 1) * DAY_MS), to: textOf(to), timezone };
}

/** The days of a range, in order. */
export function daysOf({ from, to }: Pick<DaySpan, 'from' | 'to'>): string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const count = Math.max(0, Math.round((last - first) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, index) => textOf(first + index * DAY_MS));
}

const textOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Local date, such as `2027-01-31`. */
function dayAt(now: Micros, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const parts = format.formatToParts(Math.floor(now / 1_000));
  const [year, month, day] = ['year', 'month', 'day'].map(
    (type) => parts.find((part) => part.type === type)?.value,
  );
  return `${year}-${month}-${day}`;
}
