/** A JSON value of a record's document. */
type Value = unknown;

/** Spreadsheets read a text with this beginning as a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

/** One line of a table with its end, in the form of RFC 4180. */
export const csvLine = (values: readonly Value[]): string => `${values.map(csvCell).join(',')}\r\n`;

/**
 * Numbers as they are, null as empty, objects as JSON, and texts escaped so that no program runs
 * them.
 */
export function csvCell(value: Value): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? guarded(value) : JSON.stringify(value);
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
