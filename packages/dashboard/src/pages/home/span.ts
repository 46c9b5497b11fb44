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

const nextDay = (day: string): string =>
  new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

export function daysOf({ from, to }: Span): readonly string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = nextDay(day)) days.push(day);
  return days;
}
