import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { asUuid } from '../../../platform/database/uuid-text.ts';
import { updateReport } from '../../settlement/reports/sql/reports.ts';

/** SQL: an authorisation of the merchant `$1` made line `e` of a file. */
const IS_OURS = `exists (select from attempts a where a.merchant_id = $1 and a.operation = 'authorise'
  and a.id = ${asUuid('e.authorisation')})`;

/** Lines of files about a merchant that are not compared, or wait. */
export const readOpenLines = (cell: Db, merchant_id: string): Promise<Row[]> =>
  cell.query(
    `select e.processor, e.mode, e.day, e.line from settlement_entries e where e.outcome is null and ${IS_OURS}`,
    [merchant_id],
  );

/** Lines of reports about a merchant that are not compared, or wait, with the names of their reports. */
export const readOpenReportLines = (cell: Db, merchant_id: string): Promise<Row[]> =>
  cell.query(
    `select l.processor_account_id, r.name, l.line
     from processor_report_lines l join processor_reports r on r.id = l.report_id
     where l.outcome is null and exists (select from attempts a where a.merchant_id = $1 and a.operation = 'authorise'
       and a.processor_account_id = l.processor_account_id
       and (a.processor_reference = l.authorisation_reference or a.id = l.attempt_id))`,
    [merchant_id],
  );

/**
 * Waits until a running comparison of files has ended: it holds the progress, and may not know the merchant yet. The next
 * one waits for the transaction.
 */
export const holdProgress = (tx: Db): Promise<unknown> =>
  tx.query('update settlement_progress set due_at = due_at', []);

/** Columns of the rows, as arrays. */
const columnsOf = (rows: readonly Row[], names: readonly string[]): unknown[][] =>
  names.map((name) => rows.map((row) => row[name]));

/** Lets lines be compared again that were about an unknown merchant. Returns their number. */
export async function reopenLines(
  tx: Db,
  merchant_id: string,
  lines: readonly Row[],
): Promise<number> {
  const rows = await tx.query(
    `update settlement_entries e set outcome = null, compared_on = null
     from unnest($2::text[], $3::text[], $4::date[], $5::int[]) as k (processor, mode, day, line)
     where e.processor = k.processor and e.mode = k.mode and e.day = k.day and e.line = k.line
       and e.outcome = 'unknown_merchant' and ${IS_OURS} returning 1`,
    [merchant_id, ...columnsOf(lines, ['processor', 'mode', 'day', 'line'])],
  );
  return rows.length;
}

/**
 * Lets lines be compared again whose files the other cell has not read. `progress`: the other cell's day of each
 * processor and mode; `part` is null once that day's file is read. Returns the number of lines.
 */
export async function reopenUnread(
  tx: Db,
  merchant_id: string,
  progress: readonly Row[],
): Promise<number> {
  const rows = await tx.query(
    `update settlement_entries e set outcome = null, compared_on = null
     from unnest($2::text[], $3::text[], $4::date[], $5::int[]) as p (processor, mode, day, part)
     where e.processor = p.processor and e.mode = p.mode and e.day >= p.day and (e.day > p.day or p.part is not null)
       and e.outcome = 'unknown_merchant' and ${IS_OURS} returning 1`,
    [merchant_id, ...columnsOf(progress, ['processor', 'mode', 'day', 'part'])],
  );
  return rows.length;
}

/** Lets lines of reports be compared again that matched no payment, at once. Returns their number. */
export async function reopenReportLines(
  tx: Db,
  lines: readonly Row[],
  at: string,
): Promise<number> {
  const rows = await tx.query(
    `update processor_report_lines l set outcome = null, compared_at = null
     from processor_reports r, unnest($1::uuid[], $2::text[], $3::int[]) as k (processor_account_id, name, line)
     where r.processor_account_id = k.processor_account_id and r.name = k.name and l.report_id = r.id
       and l.line = k.line and l.outcome = 'unmatched' and l.acknowledged_at is null returning l.report_id as id`,
    columnsOf(lines, ['processor_account_id', 'name', 'line']),
  );
  for (const id of new Set(rows.map((row) => row.id as string)))
    await updateReport(tx, { id, status: 'compared' }, { status: 'booked', due_at: at }, at);
  return rows.length;
}
