import type { Row } from '../row.ts';

/** Finds the one row whose name is, or contains, the text. Returns a sentence with the names if none or several do. */
export function chooseRow(rows: readonly Row[], text: string): Row | string {
  const matches = rows.filter(({ name }) => name.includes(text));
  const row = matches.find(({ name }) => name === text) ?? (matches.length === 1 && matches[0]);
  if (row) return row;
  const names = (matches.length > 0 ? matches : rows).map(({ name }) => `  ${name}`).join('\n');
  const problem = matches.length > 0 ? 'Several rows have' : 'No row has';
  return `${problem} "${text}" in the name. Name one of these with --row:\n${names}`;
}
