import { createHash } from 'node:crypto';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { insertRows } from '../../../platform/database/rows.ts';
import { instantText, type Micros, seconds } from '../../../platform/time/clock.ts';
import { accountSender, type ProcessorAccount } from '../../../processors/accounts.ts';
import type { AccountReports, SettlementReport } from '../../../processors/port/reports/reports.ts';
import { sendMessage } from '../../../processors/wire/send-message.ts';
import type { Services } from '../../../services.ts';
import { appendSettlements } from '../append-settlements.ts';
import { recordException } from '../exceptions.ts';
import { bookReport } from './book-report.ts';
import { compareReportLines } from './compare-lines.ts';
import {
  countWaitingLines,
  insertLines,
  linesToReconcile,
  recordLineOutcomes,
} from './sql/lines.ts';
import { findSameContent, updateReport } from './sql/reports.ts';

/** Seconds before a failed step is tried again. The last wait repeats. */
const RETRY_WAITS_SECONDS = [60, 300, 1_800, 7_200, 21_600, 86_400] as const;
/** Tries of a step before an operator decides. */
const TRIES_MAX = 20;
/** Seconds between comparisons of lines that wait for an outcome. */
const RECOMPARE_SECONDS = 60 * 60;
/** Lines that one transaction compares. */
const COMPARED_MAX = 500;

/** Runs the next step of a claimed report: download, book, or compare a slice. Each is one transaction. */
export async function runReportStep(services: Services, report: Row): Promise<void> {
  const account = services.accounts.find(report.processor_account_id as string);
  const reports = account?.processor.reports;
  if (!account || !reports) return fail(services, report, 'The account has no reports any more.');
  switch (report.status) {
    case 'announced':
      return download(services, account, reports, report);
    case 'downloaded':
      return book(services, reports, report);
    default:
      return reconcile(services, report);
  }
}

async function download(
  services: Services,
  account: ProcessorAccount,
  reports: AccountReports,
  report: Row,
): Promise<void> {
  const missing = reports.missingSetting();
  if (missing !== undefined) return fail(services, report, missing);
  const request = reports.download.mapRequest({
    name: report.name as string,
    location: report.location as string,
  });
  const answer = await sendMessage(services, request, accountSender(account));
  const result = reports.download.mapAnswer(answer);
  if (result.result !== 'file') return fail(services, report, result.why);
  await storeContent(services, report, result.text);
}

/** Stores a report as it arrived, before it is read. */
export async function storeContent(
  { db, system_clock }: { readonly db: Db; readonly system_clock: Services['system_clock'] },
  report: Row,
  content: string,
): Promise<void> {
  const at = instantText(system_clock.now());
  const hash = createHash('sha256').update(content).digest('hex');
  const done = { status: 'downloaded', hash, content, failure: null, tries: '0', due_at: at };
  await updateReport(db, report, done, at);
}

async function book(services: Services, reports: AccountReports, report: Row): Promise<void> {
  const parsed = reports.parse(report.content as string);
  if (parsed.result === 'refused') return refuse(services, services.db, report, parsed.why);
  await services.db.transaction((tx) => storeBooked(services, tx, report, parsed));
}

async function storeBooked(
  services: Services,
  tx: Db,
  report: Row,
  parsed: SettlementReport,
): Promise<void> {
  const now = services.system_clock.now();
  const at = instantText(now);
  const same = await findSameContent(tx, report);
  if (same !== undefined)
    return refuse(services, tx, report, `The content is that of ${same}, which is booked.`);
  const { lines, transfers, control, difference } = bookReport(report, parsed, now);
  const failure = difference && `The rows do not sum to the payout (${difference}).`;
  const others = String(parsed.others);
  const change = { status: 'booked', control, failure, others, tries: '0', due_at: at };
  if (!(await updateReport(tx, report, change, at))) return;
  await insertLines(tx, services.catalog, lines);
  await insertRows(tx, services.catalog, 'processor_transfers', transfers);
  const quarantined = parsed.quarantined.length;
  if (failure || quarantined > 0)
    services.logger.error(
      { ...sourceOf(report), failure, quarantined },
      'settlement report needs an operator: see it with florin processors reports',
    );
}

async function reconcile(services: Services, report: Row): Promise<void> {
  await services.db.transaction(async (tx) => {
    const now = services.system_clock.now();
    const at = instantText(now);
    // Locks the report, so that of two workers one compares a slice.
    if (!(await updateReport(tx, report, { due_at: at }, at))) return;
    const compared_before = instantText(now - seconds(RECOMPARE_SECONDS));
    const options = { compared_before, limit: COMPARED_MAX };
    const lines = await linesToReconcile(tx, report.id as string, options);
    if (lines.length === 0) return finishComparing(tx, report, now);
    const changes = compareReportLines(lines, now);
    await appendSettlements(services, tx, changes.transfers);
    await recordException(services, tx, sourceOf(report), changes.exceptions, now);
    await recordLineOutcomes(tx, services.catalog, changes.lines);
  });
}

/** Ends the comparison, or lets waiting lines wait. */
async function finishComparing(tx: Db, report: Row, now: Micros): Promise<void> {
  const waiting = await countWaitingLines(tx, report.id as string);
  const change =
    waiting === 0
      ? { status: 'compared', due_at: null }
      : { due_at: instantText(now + seconds(RECOMPARE_SECONDS)) };
  await updateReport(tx, report, change, instantText(now));
}

async function refuse(services: Services, db: Db, report: Row, why: string): Promise<void> {
  const at = instantText(services.system_clock.now());
  await updateReport(db, report, { status: 'refused', failure: why, due_at: null }, at);
  services.logger.error(
    { ...sourceOf(report), why },
    'settlement report refused: nothing of it is booked. See florin processors reports',
  );
}

/** Tries a step again that threw. A booked report stays booked, and is claimed again after its lease. */
export async function failThrown(services: Services, report: Row): Promise<void> {
  if (report.control != null) return;
  await fail(services, report, 'Florin could not process the report. The server’s log says why.');
}

/** Tries again later. After the last try an operator decides. */
async function fail(services: Services, report: Row, why: string): Promise<void> {
  const tries = Number(report.tries) + 1;
  if (tries >= TRIES_MAX) return refuse(services, services.db, report, why);
  const now = services.system_clock.now();
  const wait = RETRY_WAITS_SECONDS[tries - 1] ?? RETRY_WAITS_SECONDS.at(-1) ?? 0;
  const due_at = instantText(now + seconds(wait));
  const change = { failure: why, tries: String(tries), due_at };
  await updateReport(services.db, report, change, instantText(now));
  services.logger.warn({ ...sourceOf(report), why, tries }, 'settlement report not downloaded');
}

const sourceOf = ({ processor_account_id = null, mode = null, name = null }: Row): Row => ({
  processor: processor_account_id,
  mode,
  day: name,
});
