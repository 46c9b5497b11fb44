import { randomBytes } from 'node:crypto';
import { commandUserFromEnv, databaseFromEnv, secretsFromEnv } from '../config/env.ts';
import {
  countOpenAttemptsSince,
  markKeysLost,
  preventResend,
} from '../features/attempts/sql/open-attempts.ts';
import { appendCommand } from '../features/audit-log/sql.ts';
import { rereadDisputes } from '../features/disputes/sql/disputes.ts';
import { RESENT_MAX } from '../features/payments/decide-outcome.ts';
import { deleteLostSecrets } from '../features/secrets/delete-lost.ts';
import { readSecretsKeys } from '../features/webhooks/signing/keys-file.ts';
import { adoptSecretsKeys, provenSealer } from '../features/webhooks/signing/own-keys.ts';
import { SEAL_KEY_BYTES } from '../platform/crypto/sealer.ts';
import { type Database, type Db, openDatabase } from '../platform/database/db.ts';
import { deleteFact, factOf } from '../platform/database/installation/installation-facts.ts';
import { DRY_RUN_HEAD, dryRunOf, isDryRun } from '../platform/dry-run.ts';
import { instantText, systemClock } from '../platform/time/clock.ts';
import { requireStopped } from '../platform/workers/heartbeats.ts';

/** Time for one statement on a cold disk. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** Stores an entry of the audit log. Called last in a transaction: it holds the lock of the log until the commit. */
const logCommand = (tx: Db, command: string, subject: string): Promise<void> =>
  appendCommand(tx, { command: `adopt ${command}`, subject, user: commandUserFromEnv() });

/**
 * `network`: lets the next start use another card network. The previous network may have approved messages
 * without an outcome, so they are not sent again. Returns the report.
 */
async function adoptNetwork(db: Database): Promise<string> {
  // Includes attempts of advanced sandbox clocks, which are dated in the future.
  const [openCount = 0] = await countOpenAttemptsSince(db, ['infinity']);
  const hadNetwork = await db.transaction(async (tx) => {
    await rereadDisputes(tx, 'sandbox');
    await preventResend(tx, RESENT_MAX);
    const network = await factOf(tx, 'card_network');
    const wasDeleted = await deleteFact(tx, 'card_network');
    await logCommand(tx, 'network', `instead of ${network ?? 'none'}`);
    return wasDeleted;
  });
  if (!hadNetwork) return 'The database has no card network yet. The next start sets it.';
  return `The next start sets the card network of this database. Restart every Florin of this database. The new network does not know ${openCount} messages without an outcome. Their payments, refunds and captures fail and are not sent again. The old network may have approved them: Florin does not reverse them.`;
}

/** The data directory's keys. In a dry run without `secrets.key`, a key that is stored nowhere stands for the new one. */
async function keysFor(is_dry: boolean): Promise<ReturnType<typeof secretsFromEnv>> {
  const config = secretsFromEnv();
  if (!is_dry || config.secrets_keys || (await readSecretsKeys(config.data_dir))) return config;
  return { ...config, secrets_keys: [randomBytes(SEAL_KEY_BYTES)] };
}

/** `secrets-key`: makes this data directory's key the one that encrypts from now on. Returns the report. */
async function adoptSecretsKey(db: Database, is_dry: boolean): Promise<string> {
  const config = await keysFor(is_dry);
  const now = systemClock().now();
  return db.transaction(async (tx) => {
    // A running process would sign with deleted secrets.
    await requireStopped(tx, now);
    const fingerprint = await adoptSecretsKeys({ db: tx, config });
    const lost = await deleteLostSecrets(tx, await provenSealer({ db: tx, config }));
    const hasLostMessageKeys = lost.includes('processor_messages');
    const unsendable = hasLostMessageKeys ? await markKeysLost(tx, instantText(now)) : 0;
    await logCommand(tx, 'secrets-key', fingerprint);
    return `The key of this data directory (fingerprint ${fingerprint}) now encrypts the secrets of this database. Copy secrets.key to every Florin of this database. Secrets of another key are unreadable: call rotate_secret on each webhook subscription.${lostText(lost.length)}${unsendableText(unsendable)}`;
  });
}

const lostText = (count: number): string =>
  count === 0
    ? ''
    : ` ${count} secrets of the installation were lost too. The next start makes new ones: links to customers' pages, open forms and cursors end.`;

const unsendableText = (count: number): string =>
  count === 0
    ? ''
    : ` ${count} captures and refunds have no outcome. Florin never sends them again, because their idempotency keys are lost. It asks the processor, or waits for its notification. Close what remains under Unknown outcomes in the operator's console.`;

async function main([subject, ...flags]: readonly string[]): Promise<void> {
  const is_dry = isDryRun(flags);
  await using stored = openDatabase({
    url: databaseFromEnv(),
    connections_max: 1,
    statement_timeout_ms: STATEMENT_TIMEOUT_MS,
  });
  const db = is_dry ? dryRunOf(stored) : stored;
  const text = subject === 'network' ? await adoptNetwork(db) : await adoptSecretsKey(db, is_dry);
  process.stdout.write(`${is_dry ? DRY_RUN_HEAD : ''}${text}\n`);
}

await main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`Nothing was adopted: ${error.message}.\n`);
  process.exitCode = 1;
});
