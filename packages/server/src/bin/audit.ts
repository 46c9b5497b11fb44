import { randomUUID } from 'node:crypto';
import fs, { type FileHandle } from 'node:fs/promises';
import { publishDraft } from '@florin/contract/publish-draft.ts';
import { commandUserFromEnv, databaseFromEnv } from '../config/env.ts';
import { headText, parseHead } from '../features/audit-log/chain.ts';
import { acceptAuditFault, readRowsAfter, storeCheck } from '../features/audit-log/sql.ts';
import { verifyAuditLog } from '../features/audit-log/verify.ts';
import { storeCheckResult } from '../features/operations/checks.ts';
import { type Database, openDatabase } from '../platform/database/db.ts';
import { DRY_RUN_HEAD, dryRunOf, isDryRun } from '../platform/dry-run.ts';
import { instantText, systemClock } from '../platform/time/clock.ts';

/** Time for one slice on a cold disk. */
const STATEMENT_TIMEOUT_MS = 60_000;
/** Rows per read of an export. */
const EXPORT_ROWS = 5_000;
/** Only the owner reads an export: it has names and addresses. */
const EXPORT_MODE = 0o600;

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

/** Runs `verify [HEAD]`, `export FILE` or `accept`. Resolves with the exit code. */
async function main([command, argument]: readonly string[]): Promise<number> {
  await using db = openDatabase({
    url: databaseFromEnv(),
    connections_max: 1,
    statement_timeout_ms: STATEMENT_TIMEOUT_MS,
  });
  if (command === 'verify') return await verify(db, argument);
  if (command === 'export') return await exportLog(db, argument ?? '');
  const at = instantText(systemClock().now());
  const is_dry = argument !== undefined && isDryRun([argument]);
  const fault = await acceptAuditFault(is_dry ? dryRunOf(db) : db, commandUserFromEnv(), at);
  if (is_dry) process.stdout.write(DRY_RUN_HEAD);
  print(fault ? `Accepted: ${fault}. The checks continue.` : 'No fault waits to be accepted.');
  return 0;
}

async function verify(db: Database, text: string | undefined): Promise<number> {
  const expected = text === undefined ? undefined : parseHead(text);
  if (text !== undefined && !expected)
    throw new Error(`${text} is no head, such as 12:3f… (64 digits)`);
  const verdict = await verifyAuditLog(
    db,
    (count) => process.stderr.write(`verified ${count} entries so far\n`),
    expected,
  );
  const { head, rows, faults, accepted } = verdict;
  for (const fault of accepted) print(`Accepted earlier: ${fault}.`);
  for (const fault of faults) print(`FAULT: ${fault}.`);
  print(
    faults.length === 0
      ? `The audit log is intact: ${rows} entries.`
      : `The audit log has ${rows} entries and ${faults.length} faults: see the runbook "The audit log was changed".`,
  );
  print(`Head: ${headText(head)}`);
  const [fault] = faults;
  // The metric and "audit accept" see the fault from now on.
  if (fault) await storeCheck(db, { head, fault }, instantText(systemClock().now()));
  const is_ok = faults.length === 0;
  await storeCheckResult(db, { name: 'audit', at: systemClock().now(), is_ok });
  return is_ok ? 0 : 1;
}

/**
 * Writes every row as a line of JSON to a new file, and prints the head. An existing file stays as it is. The file gets
 * its name at the end: a part of the log must not look like an export.
 */
async function exportLog(db: Database, file: string): Promise<number> {
  const draft = `${file}.${randomUUID()}.part`;
  const output = await openDraft(file, draft);
  if (output instanceof Error) {
    process.stderr.write(`${file} cannot be written: ${output.message}; choose a new name.\n`);
    return 1;
  }
  try {
    const { count, head } = await writeRows(db, output).finally(() => output.close());
    await publishDraft(fs, draft, file);
    print(`Exported ${count} entries to ${file}.`);
    print(`Head: ${head || 'none'}`);
    return 0;
  } catch (error) {
    const reason = (error as Error).message;
    process.stderr.write(
      `The export to ${file} failed: ${reason}. Its draft was removed: export again.\n`,
    );
    return 1;
  } finally {
    await fs.rm(draft, { force: true });
  }
}

/** Opens the draft of a file. Resolves with an error if the name of the file is taken. */
async function openDraft(file: string, draft: string): Promise<FileHandle | Error> {
  const isTaken = await fs.lstat(file).then(
    () => true,
    () => false,
  );
  if (isTaken) return new Error('the file exists');
  return fs.open(draft, 'wx', EXPORT_MODE).catch((error: Error) => error);
}

async function writeRows(db: Database, output: FileHandle) {
  let seq = 0;
  let count = 0;
  let head = '';
  for (;;) {
    const rows = await readRowsAfter(db, seq, EXPORT_ROWS);
    await output.appendFile(rows.map((row) => `${exportLine(row)}\n`).join(''));
    const last = rows.at(-1);
    if (last) head = headText(last);
    seq = last?.seq ?? seq;
    count += rows.length;
    if (rows.length < EXPORT_ROWS) break;
    process.stderr.write(`exported ${count} entries so far\n`);
  }
  await output.sync();
  return { count, head };
}

const exportLine = ({
  seq,
  entry,
  prev_hash,
  hash,
}: Awaited<ReturnType<typeof readRowsAfter>>[number]) =>
  JSON.stringify({ seq, entry, prev_hash: prev_hash.toString('hex'), hash: hash.toString('hex') });

process.exitCode = await main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`The audit log cannot be read: ${error.message}.\n`);
  return 1;
});
