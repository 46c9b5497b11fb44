import { problem } from '@florin/contract/errors.ts';
import type { FastifyRequest } from 'fastify';
import type { Row } from '../platform/database/row.ts';
import { isUuid } from '../platform/ids.ts';
import { instantText, microsOf } from '../platform/time/clock.ts';

/** Position after which a list page starts: a row's instant and id. */
export interface PageStart {
  readonly at: string;
  readonly id: string;
}

/** Parses the query parameter `after`; undefined for the first page. Throws 400 for a malformed value. */
export function pageStartOf({ query }: Pick<FastifyRequest, 'query'>): PageStart | undefined {
  const { after } = query as Readonly<Record<string, unknown>>;
  if (after === undefined || after === '') return undefined;
  const [at = '', id = ''] = typeof after === 'string' ? after.split('_') : [];
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(at) && isUuid(id)) return { at, id };
  throw problem(
    'invalid_cursor',
    'The cursor does not belong to this list. Take cursors from the links of the list.',
    { parameter: 'after' },
  );
}

/** The first `size` of at most `size` + 1 rows, with the cursor of the next page. */
export function pageOf<View>(
  rows: readonly Row[],
  size: number,
  column: string,
  toView: (row: Row) => View,
): { readonly data: readonly View[]; readonly next: string | null } {
  const page = rows.slice(0, size);
  const lastRow = rows.length > size ? page.at(-1) : undefined;
  const next = lastRow ? `${isoOf(lastRow[column])}_${lastRow.id}` : null;
  return { data: page.map(toView), next };
}

/** Formats a column's instant as in API responses. */
export const isoOf = (at: string | null | undefined): string | null =>
  at ? instantText(microsOf(at)) : null;
