import { setTimeout as sleep } from 'node:timers/promises';
import { MigrationRefusal, planOf } from '@florin/contract/migrations/plan.ts';
import type { VaultsConfig } from '@florin/contract/tls/vault-address.ts';
import type { FlorinEnvironment } from '@florin/contract/variables.ts';
import { SERVER_VERSION } from '../../../http/health/process-metrics.ts';
import { type CertificateOwner, readExpiry } from '../../../platform/crypto/certificate-expiry.ts';
import { type Database, type Db, isWritable } from '../../../platform/database/db.ts';
import { hasSpace } from '../../../platform/database/health.ts';
import { factOf } from '../../../platform/database/installation/installation-facts.ts';
import { readServerHistory } from '../../../platform/database/migrate.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Logger } from '../../../platform/logger.ts';
import {
  instantText,
  type Micros,
  microsOf,
  seconds,
  systemClock,
} from '../../../platform/time/clock.ts';
import {
  countWorkers,
  isBeginning,
  listHeartbeats,
  listProcessesWithout,
} from '../../../platform/workers/heartbeats.ts';
import { adapters } from '../../../processors/adapters/index.ts';
import { OPEN_ERROR_SECONDS } from '../../attempts/age-alarm.ts';
import { notifyingAccounts } from '../../attempts/recovery.ts';
import { countOpenAttemptsSince, countOperatorAttempts } from '../../attempts/sql/open-attempts.ts';
import { readCheck } from '../../audit-log/sql.ts';
import { countQuarantinedDisputes } from '../../disputes/sql/waiting-disputes.ts';
import { createProcessorAccounts } from '../../processor-accounts/accounts.ts';
import { selectKeyRefusals } from '../../processor-accounts/sql/key-refusals.ts';
import { countOpenNotifications } from '../../processor-notifications/sql/notifications.ts';
import { countReportsToDecide } from '../../settlement/reports/sql/reports.ts';
import { countOpenExceptions } from '../../settlement/sql.ts';
import { listFailingSubscriptions } from '../../webhooks/sql/backlog.ts';
import { readCheckResults } from '../checks.ts';
import { loopStateOf } from '../heartbeats.ts';
import { readApplied } from '../sql/applied-migrations.ts';
import { databaseState, queueAt, queues } from '../sql/queues.ts';
import type { DoctorFacts } from './decide.ts';
import { readPeerFacts } from './peers.ts';

/** Time in which work begins after an installation is opened, and its process reports that: two seconds and a heartbeat. */
const BEGIN_LIMIT_MS = 5_000;
const BEGIN_POLL_MS = 200;
/** Maximum number of listed loops and of listed subscriptions. */
const LOOPS_MAX = 1_000;
const LISTED_MAX = 10;

export interface DoctorPlace {
  readonly environment: FlorinEnvironment;
  readonly vaults: VaultsConfig;
  readonly certificates: readonly CertificateOwner[];
  readonly logger: Logger;
}

/** Reads the facts of an installation, one after the other over one connection. Changes nothing. */
export async function readDoctorFacts(db: Database, place: DoctorPlace): Promise<DoctorFacts> {
  const restored_to = await factOf(db, 'restored');
  if (restored_to === undefined) await waitForBegin(db);
  const now = systemClock().now();
  const { vault_notes, clock_notes, certificates } = await readPeerFacts(db, place);
  return {
    environment: place.environment,
    now,
    version: SERVER_VERSION,
    loops: (await listHeartbeats(db, LOOPS_MAX)).map((row) => loopFacts(row, now)),
    workers: await countWorkers(db, now),
    without_key: await processesWithoutKey(db, now),
    database: await databaseState(db),
    is_read_only: !(await isWritable(db)),
    is_disk_full: !(await hasSpace(db)),
    restored_to,
    ...(await migrationFacts(db)),
    vault_notes,
    clock_notes,
    ...(await workFacts(db, now)),
    ...(await outcomeFacts(db, place.logger, now)),
    ...(await recordFacts(db)),
    checks: await readCheckResults(db),
    certificates: [
      ...(await Promise.all(place.certificates.map(certificateFacts))),
      ...certificates,
    ],
  };
}

/** Waits while workers of an installation that was just opened have not reported that they work. */
async function waitForBegin(db: Db): Promise<void> {
  const limit = performance.now() + BEGIN_LIMIT_MS;
  while (performance.now() < limit && (await isBeginning(db, systemClock().now())))
    await sleep(BEGIN_POLL_MS);
}

const loopFacts = (row: Row, now: Micros) => ({
  process: `${row.host} (process ${row.pid})`,
  version: row.version ?? null,
  loop: row.loop as string,
  state: loopStateOf(row, now),
  error: row.error ?? null,
});

/** Live processes that cannot open what is sealed now. Processes of earlier versions do not tell their keys. */
async function processesWithoutKey(db: Db, now: Micros): Promise<string[]> {
  const key = await factOf(db, 'secrets_key');
  if (key === undefined) return [];
  const without = await listProcessesWithout(db, [key], now, LISTED_MAX);
  return without.filter(({ tells_keys }) => tells_keys).map(({ process }) => process);
}

/** Migrations that are missing, or why the database does not fit this program. */
async function migrationFacts(db: Db): Promise<Pick<DoctorFacts, 'pending' | 'refusal'>> {
  try {
    const applied = await readApplied(db);
    const { pending } = planOf(applied, await readServerHistory(), { runs_on_newer: true });
    return { pending: pending.map(({ name }) => name), refusal: undefined };
  } catch (error) {
    if (!(error instanceof MigrationRefusal)) throw error;
    return { pending: [], refusal: error.message };
  }
}

async function workFacts(
  db: Db,
  now: Micros,
): Promise<Pick<DoctorFacts, 'queues' | 'failing_webhooks'>> {
  const found: DoctorFacts['queues'][number][] = [];
  for (const queue of queues) {
    const { name, due, oldest_due_at } = await queueAt(db, queue, instantText(now));
    const late_s = oldest_due_at === null ? 0 : (now - microsOf(oldest_due_at)) / seconds(1);
    found.push({ name, due, late_s });
  }
  const failing = await listFailingSubscriptions(db, LISTED_MAX);
  return {
    queues: found,
    failing_webhooks: failing.map((row) => ({
      id: row.id as string,
      merchant: row.merchant_id as string,
      mode: row.mode as string,
      since: minuteText(row.failing_since as string),
    })),
  };
}

async function outcomeFacts(
  db: Db,
  logger: Logger,
  now: Micros,
): Promise<Pick<DoctorFacts, 'refused_keys' | 'unknown_over_24h' | 'operator_attempts'>> {
  const accounts = await createProcessorAccounts({ db, adapters, logger });
  const since = [instantText(now - seconds(OPEN_ERROR_SECONDS))];
  const [unknown_over_24h = 0] = await countOpenAttemptsSince(
    db,
    since,
    notifyingAccounts(accounts),
  );
  return {
    refused_keys: [...(await selectKeyRefusals(db)).values()].map((row) => ({
      name: row.name as string,
      mode: row.mode as string,
      since: minuteText(row.since as string),
    })),
    unknown_over_24h,
    operator_attempts: sumOf(await countOperatorAttempts(db)),
  };
}

async function recordFacts(db: Db) {
  return {
    settlement_exceptions: sumOf(await countOpenExceptions(db)),
    reports_open: sumOf(await countReportsToDecide(db)),
    notifications_open: sumOf(await countOpenNotifications(db)),
    disputes_quarantined: sumOf(await countQuarantinedDisputes(db)),
    audit_fault: (await readCheck(db))?.fault ?? null,
  };
}

const sumOf = (rows: readonly Row[]): number =>
  rows.reduce((sum, { count }) => sum + Number(count), 0);

const MINUTE_LENGTH = 16;
const minuteText = (instant: string): string =>
  `${instantText(microsOf(instant)).slice(0, MINUTE_LENGTH)}Z`;

const certificateFacts = async (owner: CertificateOwner) => ({
  name: owner.name,
  expires_at: await readExpiry(owner).catch(() => undefined),
});
