import { databaseFromEnv } from '../config/env.ts';
import { linesOfCheck, verifyLedger } from '../features/settlement/verify-ledger.ts';
import { openDatabase } from '../platform/database/db.ts';

/** Checks of a ledger of many years take minutes. */
const STATEMENT_TIMEOUT_MS = 30 * 60_000;

/** Prints which sums agree and which differ; exits with 1 on any difference. Changes nothing. */
async function main(): Promise<number> {
  await using db = openDatabase({
    url: databaseFromEnv(),
    connections_max: 1,
    statement_timeout_ms: STATEMENT_TIMEOUT_MS,
  });
  const checks = await verifyLedger(db);
  for (const line of checks.flatMap(linesOfCheck)) process.stdout.write(`${line}\n`);
  return checks.every(({ differences }) => differences.length === 0) ? 0 : 1;
}

process.exitCode = await main().catch((error: Error) => {
  process.stderr.write(`The ledger cannot be verified: ${error.message}.\n`);
  return 1;
});
