import { escapeHtml } from '@florin/contract/html.ts';

/** A row of a table; `cells` are HTML. */
export interface TableRow {
  readonly cells: readonly string[];
  /** Anchor of the row for the search; `undefined` for none. */
  readonly id?: string;
}

/** A table whose rows become labelled blocks on a narrow screen. */
export function renderTable(heads: readonly string[], rows: readonly TableRow[]): string {
  if (rows.length === 0) return '<p class="soft">None.</p>';
  const head = heads.map((text) => `<th scope="col">${escapeHtml(text)}</th>`).join('');
  const body = rows.map((row) => renderRow(heads, row)).join('\n');
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table>`;
}

function renderRow(heads: readonly string[], { cells, id }: TableRow): string {
  const cellsHtml = cells.map(
    (cell, index) => `<td${cell && ` data-head="${escapeHtml(heads[index] ?? '')}"`}>${cell}</td>`,
  );
  return `<tr${id === undefined ? '' : findableAttributes(id)}>${cellsHtml.join('')}</tr>`;
}

/** HTML attributes of an element that links and the search can target. */
export const findableAttributes = (id: string): string => ` id="${escapeHtml(id)}" data-find`;
