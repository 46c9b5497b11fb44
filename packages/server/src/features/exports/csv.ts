/** A value of a record's document: what JSON can say. */
type Value = unknown;

/** Spreadsheets take a text that begins so for a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

/** One line of a table with its end, as RFC 4180 writes it. */
export const csvLine = (values: readonly Value[]): string => `${values.map(csvCell).join(',')}\r\n`;

/** Numbers as they are, null as nothing, what has members as JSON, and texts so that no program runs them. */
export function csvCell(value: Value): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? guarded(value) : JSON.stringify(value);
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
