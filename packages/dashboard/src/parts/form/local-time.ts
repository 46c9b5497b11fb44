const MINUTE_MS = 60_000;
const LENGTH = 'YYYY-MM-DDTHH:mm'.length;

/** An instant as an input of type `datetime-local` holds it: in the person's own zone, to the minute. */
export function localOf(instant: string): string {
  const at = new Date(instant);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS);
  return local.toISOString().slice(0, LENGTH);
}
