import { isoOf } from '../../../http/page-cursor.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { instantText, type Micros, microsOf, seconds } from '../../../platform/time/clock.ts';
import { accountSender, type ProcessorAccount } from '../../../processors/accounts.ts';
import type { AccountReports, ReportName } from '../../../processors/port/reports/reports.ts';
import { sendMessage } from '../../../processors/wire/send-message.ts';
import type { Services } from '../../../services.ts';
import { claimLists, ensureLists, updateList } from './sql/lists.ts';
import { insertReport } from './sql/reports.ts';

/** Seconds between two lists of an account, and after a list that failed. */
const LIST_SECONDS = 60 * 60;
/** Reports may be listed late: each list begins this long before the end of the one before. */
const OVERLAP_SECONDS = 3 * 24 * 60 * 60;
/** Maximum pages of a list. A report beyond them is listed next time. */
const PAGES_MAX = 20;
const LISTS_MAX = 8;
const LEASE_SECONDS = 120;

type ListServices = Pick<Services, 'accounts' | 'db' | 'logger' | 'relay' | 'system_clock'>;

/** Asks due accounts of a mode for new reports. Returns whether there may be more. */
export async function listDueReports(
  services: ListServices,
  mode: 'live' | 'sandbox',
): Promise<boolean> {
  const now = services.system_clock.now();
  const accounts = services.accounts
    .all()
    .filter((one) => one.mode === mode && one.status !== 'removed' && one.processor.reports?.list);
  if (accounts.length === 0) return false;
  await ensureLists(
    services.db,
    accounts.map(({ id }) => id),
    mode,
    instantText(now),
  );
  const lease_until = instantText(now + seconds(LEASE_SECONDS));
  const claim = { mode, now: instantText(now), lease_until, limit: LISTS_MAX };
  const rows = await claimLists(services.db, claim);
  await Promise.all(rows.map((row) => listOne(services, row)));
  return rows.length === LISTS_MAX;
}

async function listOne(services: ListServices, row: Row): Promise<void> {
  const account = services.accounts.find(row.processor_account_id as string);
  const reports = account?.processor.reports;
  if (!account || !reports) return;
  const now = services.system_clock.now();
  const from = microsOf(row.listed_until as string) - seconds(OVERLAP_SECONDS);
  const failure = await readPages(services, account, reports, { from, until: now });
  const due_at = instantText(now + seconds(LIST_SECONDS));
  await updateList(services.db, row.processor_account_id as string, {
    due_at,
    failure,
    ...(failure === null && { listed_until: instantText(now) }),
  });
  if (failure !== null)
    services.logger.error(
      { processor_account: account.id, mode: account.mode, why: failure },
      'settlement reports not listed: check the account',
    );
}

/** Stores the names of all reports of a period. Returns why the list failed, or null. */
async function readPages(
  services: ListServices,
  account: ProcessorAccount,
  { list }: AccountReports,
  { from, until }: { readonly from: Micros; readonly until: Micros },
): Promise<string | null> {
  if (!list) return null;
  const period = {
    from: isoOf(instantText(from)) as string,
    until: isoOf(instantText(until)) as string,
  };
  const sender = accountSender(account);
  let page: string | undefined;
  for (let count = 0; count < PAGES_MAX; count++) {
    const request = list.mapRequest({ ...period, ...(page !== undefined && { page }) });
    const result = list.mapAnswer(await sendMessage(services, request, sender));
    if (result.result !== 'reports') return result.why;
    for (const report of result.reports) await announceReport(services, account, report);
    page = result.next;
    if (page === undefined) return null;
  }
  return `The list has more than ${PAGES_MAX} pages.`;
}

/** Stores a report to download, once. */
export async function announceReport(
  { db, system_clock }: { readonly db: Db; readonly system_clock: Services['system_clock'] },
  { id, mode }: Pick<ProcessorAccount, 'id' | 'mode'>,
  { name, location }: ReportName,
): Promise<void> {
  const now = system_clock.now();
  await insertReport(db, {
    id: uuidv7(now),
    processor_account_id: id,
    mode,
    name,
    location,
    at: instantText(now),
  });
}
