/** Formats local times that spreadsheets read, such as `2027-01-31 14:05:09`: the Swedish order of a date. */
export function timesIn(timeZone: string): (instant: unknown) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (instant) => (typeof instant === 'string' ? format.format(new Date(instant)) : '');
}
