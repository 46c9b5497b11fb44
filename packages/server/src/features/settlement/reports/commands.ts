import { problem } from '@florin/contract/errors.ts';
import type { AccountName, ReportCommand } from '@florin/contract/protocol/processor-command.ts';
import type { Row } from '../../../platform/database/row.ts';
import { isUuid } from '../../../platform/ids.ts';
import { instantText } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { findNamedAccount } from '../../processor-accounts/commands/find-account.ts';
import type { CommandReport } from '../../processor-accounts/commands/report.ts';
import { acknowledge } from './acknowledge.ts';
import { describeFailingList, describeReport, describeReports } from './describe.ts';
import { announceReport } from './list-reports.ts';
import { storeContent } from './report-step.ts';
import { settleStandIn } from './settle-stand-in.ts';
import { listFailingLists } from './sql/lists.ts';
import {
  findReport,
  findReportById,
  listReports,
  listTransfers,
  listUnclearLines,
  retryReports,
} from './sql/reports.ts';

const CLI = 'npm run florin -- processors';
const REPORTS_SHOWN_MAX = 50;
const LINES_SHOWN_MAX = 50;

type CommandServices = Pick<Services, 'db' | 'system_clock' | 'accounts'>;

const COMMANDS: readonly string[] = [
  'reports',
  'show_report',
  'acknowledge_row',
  'import_report',
  'retry_reports',
  'settle_stand_in',
] satisfies ReportCommand['command'][];

export const isReportCommand = (command: { readonly command: string }): command is ReportCommand =>
  COMMANDS.includes(command.command);

/** Runs a command about settlement reports. Throws `ProblemError` that names what is wrong. */
export async function runReportCommand(
  services: CommandServices,
  command: ReportCommand,
): Promise<CommandReport> {
  switch (command.command) {
    case 'reports':
      return list(services, command.name);
    case 'show_report':
      return show(services, command.id);
    case 'acknowledge_row':
      await acknowledge(services, {
        report_id: requireReportId(command.id),
        line: command.line,
        note: command.note,
        account_id: null,
      });
      return { ok: true, text: `Acknowledged row ${command.line}. The sums stay as they are.` };
    case 'import_report':
      return importReport(services, command, command.report, command.content);
    case 'retry_reports':
      return retry(services, command);
    case 'settle_stand_in':
      return settleStandIn(
        { db: services.db, now: instantText(services.system_clock.now()) },
        command,
      );
  }
}

async function list(
  { db }: CommandServices,
  name: AccountName | undefined,
): Promise<CommandReport> {
  const account = name && (await findNamedAccount(db, name));
  const id = account?.id ?? null;
  const rows = await listReports(db, id, REPORTS_SHOWN_MAX);
  const failing = await listFailingLists(db, id, REPORTS_SHOWN_MAX);
  const reports = rows.length > 0 ? describeReports(rows) : NO_REPORTS;
  return { ok: true, text: [reports, ...failing.map(describeFailingList)].join('\n') };
}

const NO_REPORTS =
  'There are no reports. Checkout.com’s are listed every hour; Adyen’s are announced by notifications, and need report_url.';

async function show({ db }: CommandServices, id: string): Promise<CommandReport> {
  const report = await findReportById(db, requireReportId(id));
  if (!report) throw unknownReport(id);
  const [transfers, lines] = [
    await listTransfers(db, id),
    await listUnclearLines(db, id, { limit: LINES_SHOWN_MAX }),
  ];
  return { ok: true, text: describeReport(report, transfers, lines) };
}

function requireReportId(id: string): string {
  if (!isUuid(id)) throw unknownReport(id);
  return id;
}

const unknownReport = (id: string) =>
  problem('not_found', `No report has the id ${id}. The command ${CLI} reports lists them.`);

/** A report of this name that waits for its download, or that was refused, gets the content. */
async function importReport(
  { db, system_clock, accounts }: CommandServices,
  name: AccountName,
  report_name: string,
  content: string,
): Promise<CommandReport> {
  const { id } = await findNamedAccount(db, name);
  const account = accounts.find(id as string);
  if (!account?.processor.reports)
    throw problem('invalid_state', 'Florin reads no settlement reports of this processor.');
  await db.transaction(async (tx) => {
    const services = { db: tx, system_clock };
    await announceReport(services, account, { name: report_name, location: report_name });
    const report = (await findReport(tx, account.id, report_name)) as Row;
    if (!['announced', 'refused'].includes(report.status as string))
      throw problem('invalid_state', `The account has a report ${report_name} already.`);
    await storeContent(services, report, content);
  });
  return {
    ok: true,
    text: `Stored ${report_name}. Florin reads it within seconds. Next: ${CLI} reports ${account.id}`,
  };
}

async function retry(
  { db, system_clock }: CommandServices,
  name: AccountName,
): Promise<CommandReport> {
  const { id } = await findNamedAccount(db, name);
  const count = await retryReports(db, id as string, instantText(system_clock.now()));
  return { ok: true, text: `${count} of the account’s reports are tried again.` };
}
