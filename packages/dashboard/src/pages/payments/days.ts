/** `2027-01-31` in the person's own time zone. */
const localDay = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

/** When a day begins, or the one so many days after it, where the person is; empty of what is no day. */
function beginningOf(day: string, ahead: number): string {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return '';
  return new Date(year, month - 1, date + ahead).toISOString();
}

/** The instant from which on a day counts. */
export const fromDay = (day: string): string => beginningOf(day, 0);

/** The instant before which a day counts, itself included. */
export const untilDay = (day: string): string => beginningOf(day, 1);

/** The day of an instant, moved by days; empty where there is none. */
export function dayOf(instant: string | undefined, ahead = 0): string {
  const at = new Date(instant ?? Number.NaN);
  if (Number.isNaN(at.getTime())) return '';
  at.setDate(at.getDate() + ahead);
  return localDay(at);
}
