import {
  commandUserFromEnv,
  databaseFromEnv,
  globalDatabaseFromEnv,
  secretsFromEnv,
} from '../config/env.ts';
import { appendCommand } from '../features/audit-log/sql.ts';
import { hasCells } from '../features/cells/sql/directory.ts';
import { keyHashes } from '../features/secrets/key-hashes.ts';
import { keysOfNewest, requireKeys } from '../features/secrets/require-keys.ts';
import { resealColumn } from '../features/secrets/reseal.ts';
import { resealInstanceSecrets } from '../features/secrets/reseal-instance-secrets.ts';
import { endOverlap, OVERLAP_DAYS, rotateSecrets } from '../features/secrets/rotate.ts';
import { sealedColumns } from '../features/secrets/sealed-columns.ts';
import { provenSealer } from '../features/webhooks/signing/own-keys.ts';
import type { Sealer } from '../platform/crypto/sealer.ts';
import { createSigner } from '../platform/crypto/signer.ts';
import { type Database, type Db, openDatabase } from '../platform/database/db.ts';
import { readInstanceSecret } from '../platform/database/installation/instance-secrets.ts';
import { systemClock } from '../platform/time/clock.ts';

/** Time for one slice on a cold disk. */
const STATEMENT_TIMEOUT_MS = 60_000;
/** Rows between two lines of progress. */
const PROGRESS_ROWS = 10_000;

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

interface Command {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly dry_run: boolean;
  readonly again: boolean;
}

/** Stores an entry of the audit log. */
const logCommand = (db: Db, command: string, subject: string): Promise<void> =>
  appendCommand(db, { command: `secrets ${command}`, subject, user: commandUserFromEnv() });

/** Throws with the names of live processes that could not open what is sealed with the newest key. */
const requireNewestKey = (db: Db, sealer: Sealer): Promise<void> =>
  requireKeys(db, sealer.key_fingerprints.slice(0, 1), systemClock().now());

/** `rotate`: new secrets of the installation. */
async function rotate({ db, sealer, ...options }: Command): Promise<number> {
  await requireNewestKey(db, sealer);
  const deps = { db, sealer, now: systemClock().now() };
  const rotation = await rotateSecrets(deps, options, (tx, { versions, expires_at }) =>
    logCommand(tx, 'rotate', `${versions.length} secrets, previous ones until ${expires_at}`),
  );
  const { versions, active_at, expires_at, overlaps_with } = rotation;
  if (overlaps_with) {
    print(
      `The secrets were rotated already. The previous ones are accepted until ${overlaps_with}. Nothing was changed. To rotate again: --again. After a theft: secrets end-overlap.`,
    );
    return 0;
  }
  const verb = options.dry_run ? 'Would rotate' : 'Rotated';
  for (const { name, version } of versions) print(`${verb} ${name}: version ${version}.`);
  print(`The new secrets sign from ${active_at} on.`);
  print(`The previous ones are accepted until ${expires_at} (${OVERLAP_DAYS} days).`);
  return 0;
}

/** `end-overlap`: previous secrets are refused from now on. */
async function endPrevious({ db, sealer, dry_run }: Command): Promise<number> {
  const deps = { db, now: systemClock().now() };
  await requireKeys(db, await keysOfNewest(db, sealer), deps.now);
  const count = await endOverlap(deps, dry_run, (tx) => logCommand(tx, 'end-overlap', 'all'));
  print(
    count === 0
      ? 'No previous secrets are accepted. Nothing was changed.'
      : `${dry_run ? 'Would end' : 'Ended'} ${count} previous secrets. Processes refuse them within ten seconds.`,
  );
  return 0;
}

/** `reseal`: seals every secret with the newest key. Exits with 1 while a secret lacks it. */
async function reseal({ db, sealer, dry_run }: Command): Promise<number> {
  if (!dry_run) {
    await requireNewestKey(db, sealer);
    await logCommand(db, 'reseal', 'all');
  }
  let remaining = 0;
  const printCounts = (name: string, counts: Awaited<ReturnType<typeof resealColumn>>): void => {
    const { older, plain, unreadable } = counts.found;
    const left = older + plain + unreadable - counts.resealed;
    remaining += left;
    print(`${name}: ${counts.resealed} resealed, ${left} remain${noteOf(unreadable)}.`);
  };
  printCounts('instance_secrets', await resealInstanceSecrets({ db, sealer, dry_run }));
  for (const column of sealedColumns) {
    const name = `${column.table}.${column.column}`;
    const report = reportRows(name);
    printCounts(name, await resealColumn({ db, sealer, dry_run, report }, column));
  }
  remaining += await keyAllHashes({ db, sealer, dry_run });
  print(
    remaining === 0
      ? 'Every secret has the newest key. Older keys can be removed.'
      : `${remaining} texts lack the newest key. Keep the older keys.`,
  );
  return remaining === 0 ? 0 : 1;
}

const reportRows =
  (name: string) =>
  (rows: number): void => {
    if (rows > 0 && rows % PROGRESS_ROWS === 0)
      process.stderr.write(`${name}: read ${rows} rows so far\n`);
  };

/** Keys hashes of requests that an earlier version stored. Returns how many remain. */
async function keyAllHashes({ db, sealer, dry_run }: Omit<Command, 'again'>): Promise<number> {
  const name = 'idempotency_keys.request_hash';
  const key = await readInstanceSecret(db, sealer, 'request_hashes');
  const signer = createSigner({ keys: () => [key] });
  const plain = await keyHashes({ db, signer, dry_run }, reportRows(name));
  const [keyed, left] = dry_run ? [0, plain] : [plain, 0];
  print(`${name}: ${keyed} keyed, ${left} remain.`);
  return left;
}

const noteOf = (unreadable: number): string =>
  unreadable === 0 ? '' : `, ${unreadable} of them unreadable: their key is lost`;

const COMMANDS = { rotate, reseal, 'end-overlap': endPrevious } as const;

/**
 * Throws for installations with several databases. A command on one of them would leave secrets of the others with an
 * older key, and does not see the processes there.
 */
async function requireOneDatabase(db: Db): Promise<void> {
  const isApart = globalDatabaseFromEnv() !== databaseFromEnv();
  if (!isApart && !(await hasCells(db))) return;
  const reason = isApart ? 'FLORIN_GLOBAL_DATABASE_URL is set' : 'this installation has cells';
  throw new Error(
    `${reason}, and secrets of several databases cannot be changed yet. Nothing was changed. Keep all keys`,
  );
}

async function main([name = '', ...flags]: readonly string[]): Promise<number> {
  await using db = openDatabase({
    url: databaseFromEnv(),
    connections_max: 1,
    statement_timeout_ms: STATEMENT_TIMEOUT_MS,
  });
  await requireOneDatabase(db);
  const sealer = await provenSealer({ db, config: secretsFromEnv() });
  const [dry_run, again] = ['--dry-run', '--again'].map((flag) => flags.includes(flag));
  const run = COMMANDS[name as keyof typeof COMMANDS];
  return await run({ db, sealer, dry_run: dry_run === true, again: again === true });
}

process.exitCode = await main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`Stopped: ${error.message}. Running the command again continues.\n`);
  return 1;
});
