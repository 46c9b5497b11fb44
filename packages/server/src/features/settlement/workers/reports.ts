import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { Row } from '../../../platform/database/row.ts';
import { instantText, seconds } from '../../../platform/time/clock.ts';
import { startEachMode } from '../../../platform/workers/each-mode.ts';
import type { Services } from '../../../services.ts';
import { listDueReports } from '../reports/list-reports.ts';
import { checkMissingInReports } from '../reports/missing-in-reports.ts';
import { failThrown, runReportStep } from '../reports/report-step.ts';
import { claimReports } from '../reports/sql/reports.ts';

/** Reports in work at once, of as many accounts. */
const REPORTS_MAX = 8;
/** Longer than a download and its margin. */
const LEASE_SECONDS = 180;

/** Starts the loops that import settlement reports of processor accounts, one per mode. */
export const startReportLoops = (services: Services): AsyncDisposable[] =>
  startEachMode(services, {
    name: 'processor-reports',
    wake: services.wake.notification,
    step: (mode) => importReports(services, mode),
  });

async function importReports(services: Services, mode: Mode): Promise<boolean> {
  const hasLists = await listDueReports(services, mode);
  const now = services.system_clock.now();
  const reports = await claimReports(services.db, {
    mode,
    now: instantText(now),
    lease_until: instantText(now + seconds(LEASE_SECONDS)),
    limit: REPORTS_MAX,
  });
  // A report whose step throws is tried again later, and stops no other.
  await Promise.all(
    reports.map((report) =>
      runReportStep(services, report).catch(async (error: unknown) => {
        logFailure(services, report, error);
        await failThrown(services, report).catch((next) => logFailure(services, report, next));
      }),
    ),
  );
  if (hasLists || reports.length > 0) return true;
  return checkMissingInReports(services, mode);
}

function logFailure({ logger }: Services, { id, mode }: Row, error: unknown): void {
  const err = { message: (error as Error).message };
  logger.error({ report: id, mode, err }, 'settlement report not imported');
}
