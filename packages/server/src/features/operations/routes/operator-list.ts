import type { FastifyRequest } from 'fastify';
import { pageOf, pageStartOf } from '../../../http/page-cursor.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { PageOf } from '../sql/open-cases.ts';

/** Rows of a page. Pages of several cells are merged, so all lists that are merged have as many. */
export const PAGE_SIZE = 50;

interface OperatorList<View> {
  /** Reads rows in order of the column `at`. One row more than a page says that another one follows. */
  readonly read: (page: PageOf) => Promise<Row[]>;
  readonly at: string;
  readonly viewOf: (row: Row) => View;
}

/** Answers with the page of an operators' list that the request asks for. Throws 422 for a malformed cursor. */
export async function operatorPage<View>(
  request: FastifyRequest,
  { read, at, viewOf }: OperatorList<View>,
) {
  const rows = await read({ limit: PAGE_SIZE + 1, after: pageStartOf(request) });
  return pageOf(rows, PAGE_SIZE, at, viewOf);
}
