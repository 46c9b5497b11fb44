/** Days, both included, as `2027-01-31`. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** How many days people look at. */
export const ranges = ['7', '30', '90', '365'] as const;
export type Range = (typeof ranges)[number];

const RANGE_DEFAULT = '30';

/** The range that an address names, or the usual one. */
export const rangeOf = (asked: string | undefined): Range =>
  ranges.find((it) => it === asked) ?? RANGE_DEFAULT;

const DAY_MS = 86_400_000;

const nextDay = (day: string): string =>
  new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

/** Every day of the span in its order. */
export function daysOf({ from, to }: Span): readonly string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = nextDay(day)) days.push(day);
  return days;
}
