import { commandUserFromEnv, databaseFromEnv } from '../config/env.ts';
import { appendCommand } from '../features/audit-log/sql.ts';
import { reportDueWork } from '../features/operations/restored.ts';
import { type Database, openDatabase } from '../platform/database/db.ts';
import {
  deleteFact,
  factOf,
  replaceFact,
} from '../platform/database/installation/installation-facts.ts';
import { instantText, systemClock } from '../platform/time/clock.ts';
import { requireStopped } from '../platform/workers/heartbeats.ts';

/** Time for one count on a cold disk. */
const STATEMENT_TIMEOUT_MS = 60_000;

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

/** `status`: tells whether the installation is closed, and what an opened one does first. */
async function status(db: Database): Promise<void> {
  const restored_to = await factOf(db, 'restored');
  if (restored_to === undefined) {
    print('The installation is open.');
    return;
  }
  print(`The installation was restored to ${restored_to} and is closed.`);
  const lines = await reportDueWork(db, instantText(systemClock().now()));
  lines.forEach(print);
  print(lines.length > 0 ? COMPARE : 'Nothing is due.');
}

const COMPARE =
  'Florin does not know what the processor did since then. Compare the live lines with its list of payments. Cancel or pause what it has already, then run restore open.';

/** `open`: lets work and writes begin. Repeatable. */
async function open(db: Database, dry_run: boolean): Promise<void> {
  const restored_to = await factOf(db, 'restored');
  if (restored_to === undefined || dry_run) {
    print(
      restored_to
        ? `Would open the installation, restored to ${restored_to}.`
        : 'The installation is open already.',
    );
    return;
  }
  await db.transaction(async (tx) => {
    if (!(await deleteFact(tx, 'restored'))) return;
    const user = commandUserFromEnv();
    await appendCommand(tx, { command: 'restore open', subject: restored_to, user });
  });
  print('The installation is open. Running processes begin their work within two seconds.');
}

/** `close`: for a database that other programs restored. Refused while a Florin of the database runs. */
async function close(db: Database, restored_to: string): Promise<void> {
  await db.transaction(async (tx) => {
    await requireStopped(tx, systemClock().now());
    await replaceFact(tx, 'restored', restored_to);
    const user = commandUserFromEnv();
    await appendCommand(tx, { command: 'restore close', subject: restored_to, user });
  });
  print(`The installation is closed, as restored to ${restored_to}.`);
}

async function main([command, word = '']: readonly string[]): Promise<void> {
  await using db = openDatabase({
    url: databaseFromEnv(),
    connections_max: 1,
    statement_timeout_ms: STATEMENT_TIMEOUT_MS,
  });
  if (command === 'status') await status(db);
  else if (command === 'open') await open(db, word === '--dry-run');
  else await close(db, word);
}

await main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`Nothing was changed: ${error.message}.\n`);
  process.exitCode = 1;
});
