const MINUTE_MS = 60_000;
const LENGTH = 'YYYY-MM-DDTHH:mm'.length;

/** Formats an instant for a `datetime-local` input: local time zone, precise to the minute. */
export function localOf(instant: string): string {
  const at = new Date(instant);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS);
  return local.toISOString().slice(0, LENGTH);
}
