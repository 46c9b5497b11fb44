import { databaseFromEnv } from '../config/env.ts';
import { storeCheckResult } from '../features/operations/checks.ts';
import {
  type CheckProgress,
  linesOfCheck,
  verifyLedger,
} from '../features/settlement/verify-ledger.ts';
import { openDatabase } from '../platform/database/db.ts';
import { systemClock } from '../platform/time/clock.ts';

/** Time for one slice on a cold disk. The whole check takes as many slices as it needs. */
const STATEMENT_TIMEOUT_MS = 60_000;
/** Milliseconds between lines of progress. */
const PROGRESS_MS = 5_000;

/** Prints which sums agree and which differ; exits with 1 on any difference. Stores only when it ran. */
async function main(): Promise<number> {
  await using db = openDatabase({
    url: databaseFromEnv(),
    connections_max: 1,
    statement_timeout_ms: STATEMENT_TIMEOUT_MS,
  });
  const checks = await verifyLedger(db, createProgressReport());
  for (const line of checks.flatMap(linesOfCheck)) process.stdout.write(`${line}\n`);
  const is_ok = checks.every(({ differences }) => differences.length === 0);
  await storeCheckResult(db, { name: 'ledger', at: systemClock().now(), is_ok });
  return is_ok ? 0 : 1;
}

/** Prints how far the check is, for people who wait. */
function createProgressReport(): CheckProgress {
  let printed_at = performance.now();
  return (noun, count) => {
    if (performance.now() - printed_at < PROGRESS_MS) return;
    printed_at = performance.now();
    process.stderr.write(`checked ${count} ${noun} so far\n`);
  };
}

process.exitCode = await main().catch((error: Error) => {
  process.stderr.write(`The ledger cannot be verified: ${error.message}.\n`);
  return 1;
});
