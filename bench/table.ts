/** Renders a table of text: columns as wide as their longest cell, numbers aligned right. */
export function renderTable(
  headers: readonly string[],
  lines: readonly (readonly string[])[],
): string {
  const widths = headers.map((header, at) =>
    Math.max(header.length, ...lines.map((line) => line[at]?.length ?? 0)),
  );
  const isNumeric = headers.map((_, at) => lines.every((line) => NUMERIC.test(line[at] ?? '')));
  const alignCell = (cell: string, at: number): string =>
    isNumeric[at] ? cell.padStart(widths[at] as number) : cell.padEnd(widths[at] as number);
  return [headers, ...lines].map((line) => line.map(alignCell).join('  ').trimEnd()).join('\n');
}

/** A number, a range of numbers, or nothing. */
const NUMERIC = /^[\d.,–-]*$/;

/** Three digits at least, and a fraction of a small figure. */
export function roundText(figure: number): string {
  if (!Number.isFinite(figure)) return '';
  if (figure >= 100) return String(Math.round(figure));
  return figure < 10 ? figure.toFixed(2) : figure.toFixed(1);
}

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
