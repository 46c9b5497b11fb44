import { escapeHtml } from '@florin/contract/html.ts';

/** A row of a table. Cells are HTML. */
export interface Row {
  readonly cells: readonly string[];
  /** Its place in the page, under which the search finds it; `undefined` for none. */
  readonly id?: string;
}

/** A table whose rows become blocks on a narrow screen, where each cell says what it is. */
export function table(heads: readonly string[], rows: readonly Row[]): string {
  if (rows.length === 0) return '<p class="soft">None.</p>';
  const head = heads.map((text) => `<th scope="col">${escapeHtml(text)}</th>`).join('');
  const body = rows.map((row) => rowOf(heads, row)).join('\n');
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table>`;
}

function rowOf(heads: readonly string[], { cells, id }: Row): string {
  const all = cells.map(
    (cell, index) => `<td${cell && ` data-head="${escapeHtml(heads[index] ?? '')}"`}>${cell}</td>`,
  );
  return `<tr${id === undefined ? '' : findable(id)}>${all.join('')}</tr>`;
}

/** The attributes of what links and the search lead to. */
export const findable = (id: string): string => ` id="${escapeHtml(id)}" data-find`;
