import type { JsonObject } from '../../jsonapi/parse-document/json-body.ts';
import { PAGE_SIZE } from '../operations/routes/operator-list.ts';

/** Order of a list of pages: by a member with an instant, then by id. */
export interface PageOrder {
  readonly at: string;
  readonly is_descending: boolean;
}

interface PagedRow extends JsonObject {
  readonly id: string;
}

/**
 * The first page of all rows of the pages of cells, which began at one position. The next page begins after the last row
 * in every cell: positions are an instant and an id, and belong to no cell.
 */
export function joinPages(pages: readonly JsonObject[], order: PageOrder): JsonObject {
  const { at, is_descending } = order;
  const positionOf = (row: PagedRow): string => `${row[at]}_${row.id}`;
  const sign = is_descending ? -1 : 1;
  const rows = pages
    .flatMap(({ data }) => (Array.isArray(data) ? (data as PagedRow[]) : []))
    .sort((one, other) => (positionOf(one) < positionOf(other) ? -sign : sign));
  const data = rows.slice(0, PAGE_SIZE);
  const last = data.at(-1);
  const hasMore = rows.length > PAGE_SIZE || pages.some(({ next }) => typeof next === 'string');
  return { ...pages[0], data, next: hasMore && last ? positionOf(last) : null };
}
