import type { Row } from '../../platform/database/row.ts';
import type { Run } from '../filter-to-sql/run.ts';
import { countSearched, selectList } from '../filter-to-sql/select.ts';
import { limitScan, type ScanRequest } from './scan-limit.ts';

/** Rows of a page. */
export interface RestrictedRows {
  readonly rows: Row[];
  /** Whether the page has all rows that it should have. */
  readonly is_whole: boolean;
}

/**
 * Reads a page of a list that a search restricts. With the ids of all matching rows the page is whole. Otherwise the list
 * tests its rows in order, few first, until they fill the page.
 */
export async function readRestricted(
  run: Run,
  request: ScanRequest,
  columns: readonly string[],
): Promise<RestrictedRows> {
  const { model, scope, selection } = request;
  const { restriction } = selection;
  if (!restriction || restriction.ids)
    return { rows: await run(selectList(model, columns, scope, selection)), is_whole: true };
  const tested_max = restriction.tested.at(-1) ?? 0;
  const isFirstPage = !selection.anchor;
  if (restriction.reads_all && isFirstPage && !(await hasAtMost(run, request, tested_max)))
    return { rows: [], is_whole: false };
  const list_limits = { ...request.list_limits, scanned_max: tested_max };
  const limitedSelection = await limitScan(run, { ...request, list_limits });
  let rows: Row[] = [];
  for (const scanned_max of restriction.tested) {
    rows = await run(selectList(model, columns, scope, { ...limitedSelection, scanned_max }));
    if (rows.length === selection.limit) return { rows, is_whole: true };
    if (await hasAtMost(run, request, scanned_max)) return { rows, is_whole: true };
  }
  return { rows, is_whole: false };
}

/** Whether the filters leave so few rows from the start position on that all of them were tested. */
async function hasAtMost(
  run: Run,
  { model, scope, selection }: ScanRequest,
  max: number,
): Promise<boolean> {
  const [row] = await run(countSearched(model, scope, selection, max));
  return Number(row?.total) <= max;
}
