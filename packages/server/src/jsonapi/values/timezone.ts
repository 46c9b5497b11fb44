/** Maximum characters of a time zone's name. */
export const TIMEZONE_TEXT_MAX = 50;

const zoneNames = new Set(Intl.supportedValuesOf('timeZone'));

/** Whether the text is a time zone name or alias of the IANA database. */
export function isTimezone(text: string): boolean {
  if (zoneNames.has(text)) return true;
  if (text.length > TIMEZONE_TEXT_MAX || !/^[A-Za-z][A-Za-z0-9_+/-]+$/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
