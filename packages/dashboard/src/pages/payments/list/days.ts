/** Returns the day in the local time zone, such as `2027-01-31`. */
export const localDay = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

/** Start of a day in the local time zone, `daysAhead` days later. Empty for an invalid day. */
function beginningOf(day: string, daysAhead: number): string {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return '';
  return new Date(year, month - 1, date + daysAhead).toISOString();
}

/** First instant of a day. */
export const fromDay = (day: string): string => beginningOf(day, 0);

/** First instant after a day. */
export const untilDay = (day: string): string => beginningOf(day, 1);

/** Local day of an instant, `daysAhead` days later. Empty for undefined. */
export function dayOf(instant: string | undefined, daysAhead = 0): string {
  const at = new Date(instant ?? Number.NaN);
  if (Number.isNaN(at.getTime())) return '';
  at.setDate(at.getDate() + daysAhead);
  return localDay(at);
}
