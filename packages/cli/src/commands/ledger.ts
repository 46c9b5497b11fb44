import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StartSettings } from '../config/env.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { startPostgres } from '../postgres/start-postgres.ts';
import { isHeld, takeLock } from '../supervisor/lock.ts';
import { DATABASE } from './services.ts';

export const LEDGER_USAGE = '       npm run florin -- ledger verify';

const LEDGER_HELP = `Usage:
${LEDGER_USAGE}

Recomputes the ledger from the records, whether Florin is running or not, and names what differs; changes nothing. It checks that
  - transfers debit and credit the accounts of their kinds, so that all accounts together are 0;
  - there is a transfer for each payment, refund, dispute, settlement and payout that wants one, and no other;
  - payments have given back and reserved what their refunds say;
  - balances are the sums of their transfers;
  - settlement files have the lines that their trailers say, all of known merchants.
The exit code is 1 where anything differs.`;

interface LedgerOptions {
  readonly settings: StartSettings;
  /** The `packages` directory. */
  readonly packages: string;
  readonly say: (text: string) => void;
}

/**
 * Verifies the ledger of the Florin of a data directory, which may be running or not. Resolves with the exit code: 1
 * where anything differs.
 */
export async function ledger(words: string[], options: LedgerOptions): Promise<number> {
  if (words.includes('--help')) {
    options.say(LEDGER_HELP);
    return 0;
  }
  if (words.join(' ') !== 'verify') throw new PlainFailure(LEDGER_HELP);
  const { dataDir, databaseUrl } = options.settings;
  if (databaseUrl) return verify(options, databaseUrl);
  if (!existsSync(join(dataDir, 'credentials.json'))) {
    throw new PlainFailure(
      `No Florin was ever started in ${dataDir}: set FLORIN_DATA to where it was, or DATABASE_URL to its database.`,
    );
  }
  // Without the lock PostgreSQL is the running Florin's, which stops it itself.
  using lock = isHeld(dataDir) ? undefined : await takeLock(dataDir);
  const postgres = await startPostgres({ dataDir });
  try {
    return await verify(options, postgres.url(DATABASE, 'florin_server'));
  } finally {
    if (lock && !postgres.attached) await postgres.stop();
  }
}

async function verify(
  { settings, packages }: LedgerOptions,
  DATABASE_URL: string,
): Promise<number> {
  const script = join(packages, 'server', 'src', 'verify-ledger.ts');
  const env = { ...settings.inherited.server, DATABASE_URL };
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'close');
  return (code as number | null) ?? 1;
}
