/** Maximum rows of a file, header included. */
export const CSV_ROWS_MAX = 200_000;

/** A file that is not CSV. The message names the line. */
export class CsvError extends Error {
  override name = 'CsvError';
}

/** A field without quotes (RFC 4180). */
const PLAIN = /[^",\r\n]*/y;
const END = /,|\r?\n|$/y;

/**
 * Reads CSV as RFC 4180 has it; lines may end in LF. Each row has as many fields as the first. Throws `CsvError`, and
 * never guesses what a wrong quote means.
 */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let position = text.startsWith('\uFEFF') ? 1 : 0;
  while (position < text.length) {
    const field = text[position] === '"' ? quotedAt(text, position) : plainAt(text, position);
    const end = field && matchAt(END, text, field.until);
    if (!field || end === undefined)
      throw new CsvError(`Row ${rows.length + 1} has a quote at a wrong place.`);
    row.push(field.value);
    position = field.until + end.length;
    if (end === ',' && position < text.length) continue;
    if (end === ',') row.push('');
    addRow(rows, row);
    row = [];
  }
  return rows;
}

interface Field {
  readonly value: string;
  /** Position after the field. */
  readonly until: number;
}

function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0];
}

function plainAt(text: string, position: number): Field {
  const value = matchAt(PLAIN, text, position) ?? '';
  return { value, until: position + value.length };
}

/** A field with quotes, which are doubled inside. No pattern: a long one would overflow the stack of patterns. */
function quotedAt(text: string, position: number): Field | undefined {
  const from = position + 1;
  let quote = text.indexOf('"', from);
  while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  if (quote < 0) return undefined;
  return { value: text.slice(from, quote).replaceAll('""', '"'), until: quote + 1 };
}

function addRow(rows: string[][], row: string[]): void {
  const expected = rows[0]?.length ?? row.length;
  const number = rows.length + 1;
  if (row.length !== expected)
    throw new CsvError(`Row ${number} has ${row.length} fields instead of ${expected}.`);
  if (number > CSV_ROWS_MAX) throw new CsvError(`The file has more than ${CSV_ROWS_MAX} rows.`);
  rows.push(row);
}

/** Rows with fields by the names of the columns. `line` counts the rows of data from 1. */
export interface CsvRow<Column extends string> {
  readonly line: number;
  readonly fields: Readonly<Record<Column, string>>;
}

/**
 * Reads the named columns of a file with a header, in any order and beside any others. Throws `CsvError` that names
 * the columns that are missing or there twice.
 */
export function readColumns<Column extends string>(
  text: string,
  columns: readonly Column[],
): CsvRow<Column>[] {
  const [header = [], ...rows] = readCsv(text);
  const wrong = columns.filter((name) => header.filter((one) => one === name).length !== 1);
  if (wrong.length > 0)
    throw new CsvError(`The header must have each of these columns once: ${wrong.join(', ')}.`);
  const places = columns.map((name) => [name, header.indexOf(name)] as const);
  return rows.map((row, index) => ({
    line: index + 1,
    fields: Object.fromEntries(
      places.map(([name, at]) => [name, row[at]]),
    ) as CsvRow<Column>['fields'],
  }));
}
