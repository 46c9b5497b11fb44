import { problem } from '@florin/contract/errors.ts';
import type { FastifyRequest } from 'fastify';
import type { Row } from '../platform/database/row.ts';
import { isUuid } from '../platform/ids.ts';
import { instantText, microsOf } from '../platform/time/clock.ts';

/** Start of a list page: after the row with this instant and id. */
export interface PageStart {
  readonly at: string;
  readonly id: string;
}

/** Parses a request's `after`; undefined for the first page. Throws 400 for a malformed one. */
export function pageStartOf({ query }: Pick<FastifyRequest, 'query'>): PageStart | undefined {
  const { after } = query as Readonly<Record<string, unknown>>;
  if (after === undefined || after === '') return undefined;
  const [at = '', id = ''] = typeof after === 'string' ? after.split('_') : [];
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(at) && isUuid(id)) return { at, id };
  throw problem('invalid_cursor', 'This is no place in the list.', { parameter: 'after' });
}

/** A page from `size` + 1 rows, and the cursor of the next page. */
export function pageOf<View>(
  rows: readonly Row[],
  size: number,
  column: string,
  view: (row: Row) => View,
): { readonly data: readonly View[]; readonly next: string | null } {
  const page = rows.slice(0, size);
  const last = rows.length > size ? page.at(-1) : undefined;
  const next = last ? `${iso(last[column])}_${last.id}` : null;
  return { data: page.map(view), next };
}

/** A column's instant as the interface writes it. */
export const iso = (at: string | null | undefined): string | null =>
  at ? instantText(microsOf(at)) : null;
