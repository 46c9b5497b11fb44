/** A JSON value of a record's attribute. */
type Value = unknown;

/** Spreadsheets run text with this beginning as a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

/** One CSV line of RFC 4180, with its line end. */
export const toCsvLine = (values: readonly Value[]): string =>
  `${values.map(toCsvCell).join(',')}\r\n`;

/** A decimal number as text. Spreadsheets read it as a number, also below zero, so it needs no guard. */
export class CsvDecimal {
  readonly text: `${number}`;
  constructor(text: `${number}`) {
    this.text = text;
  }
}

/** A CSV cell: numbers unchanged, null empty, objects as JSON, text escaped against formulas. */
export function toCsvCell(value: Value): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof CsvDecimal) return value.text;
  const text = typeof value === 'string' ? guardFormula(value) : JSON.stringify(value);
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const guardFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
