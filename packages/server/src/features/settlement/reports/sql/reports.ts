import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { Db } from '../../../../platform/database/db.ts';
import type { Row } from '../../../../platform/database/row.ts';

/** A report that a processor announced. */
export interface NewReport {
  readonly id: string;
  readonly processor_account_id: string;
  readonly mode: string;
  readonly name: string;
  readonly location: string;
  /** Time from which it is downloaded. */
  readonly at: string;
}

/** Stores a report unless the account has one of this name. */
export async function insertReport(db: Db, report: NewReport): Promise<void> {
  const { id, processor_account_id, mode, name, location, at } = report;
  await db.query(
    `insert into processor_reports (id, processor_account_id, mode, name, location, due_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6, $6) on conflict (processor_account_id, name) do nothing`,
    [id, processor_account_id, mode, name, location, at],
    'insert_report',
  );
}

/** Limits of a claim. */
export interface ReportClaim {
  readonly mode: Mode;
  readonly now: string;
  readonly lease_until: string;
  readonly limit: number;
}

/**
 * Claims due reports of a mode, the oldest of each account, until the end of a lease. The second of two
 * claims of a row waits for the first, and then finds the row no longer due.
 */
export const claimReports = (
  db: Db,
  { mode, now, lease_until, limit }: ReportClaim,
): Promise<Row[]> =>
  db.query(
    `update processor_reports r set due_at = $3
     where r.due_at <= $2 and r.mode = $1 and r.id in (select id from (
       select distinct on (processor_account_id) id, due_at from processor_reports
       where mode = $1 and due_at <= $2 order by processor_account_id, due_at) due order by due_at limit $4)
     returning r.*`,
    [mode, now, lease_until, limit],
    'claim_reports',
    'kept',
  );

/** Columns that a step may set. */
export type ReportChange = Readonly<
  Partial<
    Record<
      'status' | 'hash' | 'content' | 'failure' | 'control' | 'others' | 'tries' | 'due_at',
      string | null
    >
  >
>;

/**
 * Changes a report that is still in the state that the step began with. Returns whether it was; then the row is locked
 * until the transaction ends.
 */
export async function updateReport(
  db: Db,
  { id, status }: Row,
  change: ReportChange,
  updated_at: string,
): Promise<boolean> {
  const set = Object.entries({ ...change, updated_at });
  const rows = await db.query(
    `update processor_reports set ${set.map(([name], at) => `${name} = $${at + 3}`).join(', ')}
     where id = $1 and status = $2 returning id`,
    [id, status, ...set.map(([, value]) => value)],
  );
  return rows.length > 0;
}

/** Name of a booked report of the account with the same content; undefined if there is none. */
export async function findSameContent(
  tx: Db,
  { id, processor_account_id, hash }: Row,
): Promise<string | undefined> {
  const [row] = await tx.query(
    `select name from processor_reports
     where processor_account_id = $2 and hash = $3 and id <> $1 and status in ('booked', 'compared')`,
    [id, processor_account_id, hash],
    'same_report',
  );
  return row?.name ?? undefined;
}

/** SQL: no payment explains the line, and no operator has acknowledged it. */
export const UNCLEAR = `outcome in ('unmatched', 'quarantined') and acknowledged_at is null`;

/** SQL: numbers of lines of report `r` by outcome. */
const COUNTED_LINES = `lateral (select count(*) as lines,
       count(*) filter (where outcome = 'settled') as settled,
       count(*) filter (where outcome = 'exception') as exceptions,
       count(*) filter (where outcome is null) as waiting,
       count(*) filter (where ${UNCLEAR}) as unclear
       from processor_report_lines where report_id = r.id)`;

/** Reports of an account older than `before`, newest first, with their numbers of lines by outcome. */
export const listReports = (
  db: Db,
  processor_account_id: string | null,
  limit: number,
  before: string | null = null,
): Promise<Row[]> =>
  db.query(
    `select r.id, r.processor_account_id, a.name as account, r.mode, r.name, r.status, r.failure, r.control, r.others,
       r.due_at, r.created_at, l.*
     from processor_reports r join processor_accounts a on a.id = r.processor_account_id
     cross join ${COUNTED_LINES} l
     where ($1::uuid is null or r.processor_account_id = $1) and ($3::uuid is null or r.id < $3::uuid)
     order by r.id desc limit $2`,
    [processor_account_id, limit, before],
    'list_reports',
  );

export async function findReport(
  db: Db,
  processor_account_id: string,
  name: string,
): Promise<Row | undefined> {
  const [row] = await db.query(
    'select * from processor_reports where processor_account_id = $1 and name = $2',
    [processor_account_id, name],
    'find_report',
  );
  return row;
}

/** A report with its account's name and its numbers of lines by outcome. */
export async function findReportById(db: Db, id: string): Promise<Row | undefined> {
  const [row] = await db.query(
    `select r.id, r.processor_account_id, a.name as account, r.mode, r.name, r.status, r.failure, r.control, r.due_at,
       r.created_at, l.*
     from processor_reports r join processor_accounts a on a.id = r.processor_account_id
     cross join ${COUNTED_LINES} l where r.id = $1`,
    [id],
    'find_report_by_id',
  );
  return row;
}

/**
 * Lines of a report that the ledger does not explain, after the line `after`: unclear ones, also acknowledged, and those
 * with a settlement exception. Such a line has kind and status of its newest exception.
 */
export const listUnclearLines = (
  db: Db,
  report_id: string,
  { limit, after = 0 }: { readonly limit: number; readonly after?: number },
): Promise<Row[]> =>
  db.query(
    `select l.line, l.kind, l.batch, l.why, l.authorisation_reference, l.processor_reference, l.net_amount,
       l.net_currency, l.outcome, l.acknowledged_at, l.acknowledgement, p.email as acknowledged_by_email,
       l.merchant_id, l.mode, e.id as exception, e.kind as exception_kind, e.status as exception_status
     from processor_report_lines l
     left join accounts p on p.id = l.acknowledged_by
     left join lateral (select id, kind, status from settlement_exceptions x
       where x.merchant_id = l.merchant_id
         and x.processor_reference = coalesce(l.processor_reference, l.authorisation_reference, l.attempt_id::text)
       order by x.id desc limit 1) e on true
     where l.report_id = $1 and l.line > $3
       and (l.outcome in ('unmatched', 'quarantined', 'exception') or l.outcome is null and l.is_flagged)
     order by l.line limit $2`,
    [report_id, limit, after],
    'unclear_lines',
  );

/** An operator's note about an unclear line. */
export interface Acknowledgement {
  readonly at: string;
  /** Null: a command on the server itself. */
  readonly account_id: string | null;
  readonly note: string;
}

/** Acknowledges an unclear line once. Returns whether it was unclear. */
export async function acknowledgeLine(
  tx: Db,
  report_id: string,
  line: number,
  { at, account_id, note }: Acknowledgement,
): Promise<boolean> {
  const rows = await tx.query(
    `update processor_report_lines set acknowledged_at = $3, acknowledged_by = $4, acknowledgement = $5
     where report_id = $1 and line = $2 and ${UNCLEAR} returning line`,
    [report_id, line, at, account_id, note],
    'acknowledge_report_line',
  );
  return rows.length > 0;
}

/** Sums of a report in the operator's ledger, by kind and currency. Positive: to the account `processor`. */
export const listTransfers = (db: Db, report_id: string): Promise<Row[]> =>
  db.query(
    `select kind, currency, case debit_account when 'processor' then amount else -amount end as amount
     from processor_transfers where report_id = $1 order by currency, kind`,
    [report_id],
    'report_transfers',
  );

/** Number of reports that an operator decides, by mode and reason. */
export const countReportsToDecide = (db: Db): Promise<Row[]> =>
  db.query(
    `select mode, case when status = 'refused' then 'refused' when failure is not null and control is null then 'failing'
         when control = 'differs' then 'payout_differs' else 'unclear_lines' end as reason, count(*) as count
     from processor_reports r
     where status = 'refused' or failure is not null or control = 'differs' or exists (
       select from processor_report_lines l where l.report_id = r.id and ${UNCLEAR})
     group by 1, 2
     union all
     select l.mode, 'list_failing', count(*)
     from processor_report_lists l join processor_accounts a on a.id = l.processor_account_id
     where l.failure is not null and a.status <> 'removed' group by 1, 2`,
    [],
    'count_reports_to_decide',
  );

/** Makes refused and failing reports of an account due again, as announced. Returns how many. */
export async function retryReports(
  db: Db,
  processor_account_id: string,
  at: string,
): Promise<number> {
  const rows = await db.query(
    `update processor_reports
     set failure = null, tries = 0, status = case status when 'refused' then 'announced' else status end,
       due_at = $2, updated_at = $2
     where processor_account_id = $1 and (status = 'refused' or failure is not null) and control is null
     returning id`,
    [processor_account_id, at],
    'retry_reports',
  );
  return rows.length;
}
