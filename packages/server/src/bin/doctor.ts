import { text } from 'node:stream/consumers';
import { databaseFaultOf } from '@florin/contract/database/fault.ts';
import {
  addressesFromEnv,
  databaseFromEnv,
  environmentFromEnv,
  vaultsFromEnv,
} from '../config/env.ts';
import { type CheckName, checks, storeCheckResult } from '../features/operations/checks.ts';
import { examine } from '../features/operations/doctor/decide.ts';
import {
  type Examination,
  finding,
  joinExaminations,
  renderExamination,
} from '../features/operations/doctor/findings.ts';
import { readDoctorFacts } from '../features/operations/doctor/gather.ts';
import { certificatesOf } from '../http/health/certificates.ts';
import { type Database, openDatabase } from '../platform/database/db.ts';
import { createLogger } from '../platform/logger.ts';
import { systemClock } from '../platform/time/clock.ts';

/** Time for one count on a cold disk. */
const STATEMENT_TIMEOUT_MS = 20_000;

/**
 * Runs `examine [--json]`, with what the command found on this host as JSON on standard input, `host [--json]` without a
 * database, or `record NAME`. Resolves with the exit code: 1 if something is wrong.
 */
async function main([command, word]: readonly string[]): Promise<number> {
  if (command === 'host') return report(await readLocal(), word);
  await using db = openDatabase({
    url: databaseFromEnv(),
    connections_max: 1,
    statement_timeout_ms: STATEMENT_TIMEOUT_MS,
  });
  if (command === 'record') return record(db, word ?? '');
  return report(joinExaminations([await examineDatabase(db), await readLocal()]), word);
}

const readLocal = async (): Promise<Examination> => JSON.parse(await text(process.stdin));

function report(examination: Examination, word?: string): number {
  process.stdout.write(
    word === '--json'
      ? `${JSON.stringify({ ok: examination.findings.length === 0, ...examination }, null, 2)}\n`
      : `${renderExamination(examination)}\n`,
  );
  return examination.findings.length === 0 ? 0 : 1;
}

/** Examines what the database knows. A database that does not answer is the finding. */
async function examineDatabase(db: Database): Promise<Examination> {
  const database_url = databaseFromEnv();
  const place = {
    environment: environmentFromEnv(),
    vaults: vaultsFromEnv(),
    certificates: certificatesOf({ database_url, ...addressesFromEnv() }),
    logger: createLogger('silent'),
  };
  try {
    return examine(await readDoctorFacts(db, place));
  } catch (error) {
    const { code, name } = error as Error & { code?: string };
    const fault = databaseFaultOf(error);
    const problem = `The database cannot be read (${fault ?? code ?? name}).`;
    const runbook = fault === 'read_only' ? 'the-database-takes-no-writes' : 'the-database-is-away';
    return { facts: {}, findings: [finding('database', problem, runbook)] };
  }
}

async function record(db: Database, word: string): Promise<number> {
  const name = checks.find((check: CheckName) => check === word);
  if (name !== 'backup') throw new Error('only "backup" can be recorded');
  await storeCheckResult(db, { name, at: systemClock().now(), is_ok: true });
  process.stdout.write('Recorded: a backup is done.\n');
  return 0;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`The installation cannot be examined: ${error.message}.\n`);
  return 1;
});
