/** First and last day of a range, both included, as `2027-01-31`. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** Selectable ranges in days. */
export const ranges = ['7', '30', '90', '365'] as const;
export type Range = (typeof ranges)[number];

const RANGE_DEFAULT = '30';

/** Returns the range in an address, or the default. */
export const rangeOf = (requested: string | undefined): Range =>
  ranges.find((it) => it === requested) ?? RANGE_DEFAULT;

const DAY_MS = 86_400_000;

/** Days are calculated in UTC, where each has 24 hours. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/**
 * Returns the week of yesterday, from Monday to yesterday, and the same days a week before. Today is left out, since a part
 * of a day does not compare with a complete one. On a Monday the week is the last one.
 */
export function weeksOf(today: string): { readonly now: Span; readonly before: Span } {
  const to = addDays(today, -1);
  const daysSinceMonday = (new Date(to).getUTCDay() + 6) % 7;
  const from = addDays(to, -daysSinceMonday);
  return { now: { from, to }, before: { from: addDays(from, -7), to: addDays(to, -7) } };
}

/** The range that has both weeks: the shown one, unless it is too short. */
export const rangeOfWeeks = (shown: Range): Range => (shown === '7' ? '30' : shown);

export function daysOf({ from, to }: Span): readonly string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}
