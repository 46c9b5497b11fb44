import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  commandUserFromEnv,
  databaseFromEnv,
  globalDatabaseFromEnv,
  secretsFromEnv,
} from '../config/env.ts';
import { appendCommand } from '../features/audit-log/sql.ts';
import {
  cellIdOf,
  findMovedMerchants,
  type StopDeps,
  stopMovedMerchants,
} from '../features/cells/stop-moved.ts';
import { STOPS_LIFE_MS } from '../features/cells/stops.ts';
import { reportDueWork } from '../features/operations/restored.ts';
import { parseFound } from '../features/restore/found-words.ts';
import { reportRestore } from '../features/restore/report.ts';
import {
  askProcess,
  learnedOf,
  type RestoreAnswer,
  type RestoreDecision,
  type RestoreRequest,
  withdrawRequest,
} from '../features/restore/requests.ts';
import { requireNoRun } from '../features/restore/run-lease.ts';
import { countDoubts } from '../features/restore/sql/doubts.ts';
import {
  countUndecidedReversals,
  undecidedAttempts,
} from '../features/restore/sql/recovered-attempts.ts';
import { ownSecretsKeys } from '../features/webhooks/signing/own-keys.ts';
import { createSealer } from '../platform/crypto/sealer.ts';
import { type Database, type Db, openDatabase } from '../platform/database/db.ts';
import {
  deleteFact,
  factOf,
  replaceFact,
} from '../platform/database/installation/installation-facts.ts';
import { DRY_RUN_HEAD, dryRunOf, isDryRun } from '../platform/dry-run.ts';
import { instantText, systemClock } from '../platform/time/clock.ts';
import { requireStopped } from '../platform/workers/heartbeats.ts';

/** Time for one count on a cold disk. */
const STATEMENT_TIMEOUT_MS = 60_000;

const openOne = (url: string): Database =>
  openDatabase({ url, connections_max: 1, statement_timeout_ms: STATEMENT_TIMEOUT_MS });

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
  'Run restore learn: Florin asks the processors what happened since then. Then run restore report, and restore open.';

/** Time without a sign of a process after which a command ends: at first, and once a process has begun. */
const SILENCE_MS = { before: 30_000, begun: 600_000 };
const POLL_MS = 200;
const MICROS_PER_MILLI = 1_000;

/** A command that failed before it changed anything. */
class Refusal extends Error {
  override name = 'Refusal';
}

/** Runs a step that changes nothing if it fails. */
const refuseOnError = <Result>(work: Promise<Result>): Promise<Result> =>
  work.catch((error: Error) => {
    throw new Refusal(error.message, { cause: error });
  });

/** Why no answer came. A process that took the request may have recorded a part, and may still run. */
async function silence(db: Db, request: RestoreRequest): Promise<Error> {
  if (await withdrawRequest(db, request))
    return new Refusal(
      'no Florin process of this database took the command. Start Florin, and repeat the command',
    );
  return new Error(
    'a Florin process took the command and has not answered since. It may have recorded a part, and may still run. Look at its log and at restore report, then repeat the command: what is recorded is not recorded again',
  );
}

/** Stores an entry of the audit log. Called last in a transaction: it holds the lock of the log until the commit. */
const logCommand = (tx: Db, command: string, subject: string): Promise<void> =>
  appendCommand(tx, { command: `restore ${command}`, subject, user: commandUserFromEnv() });

/** Has a running process execute a request. Prints the progress, then the answer. */
async function ask(db: Database, request: RestoreRequest): Promise<void> {
  const restored_to = await factOf(db, 'restored');
  if (request.verb === 'learn' && restored_to === undefined)
    throw new Refusal('the installation is open');
  await refuseOnError(requireNoRun(db));
  await db.transaction(async (tx) => {
    await askProcess(tx, request);
    // The process that executes a decision logs it.
    if (request.verb === 'learn' && !request.is_dry)
      await logCommand(tx, 'learn', restored_to ?? '');
  });
  let [shown, seen_at] = ['', performance.now()];
  for (;;) {
    const text = await factOf(db, 'restore_result');
    const answer = text === undefined ? undefined : (JSON.parse(text) as RestoreAnswer);
    if (answer?.id === request.id) return printAnswer(answer);
    const progress = (await factOf(db, 'restore_progress')) ?? '';
    if (progress !== shown) {
      [shown, seen_at] = [progress, performance.now()];
      process.stderr.write(`${progress}\n`);
    }
    const silence_ms = shown === '' ? SILENCE_MS.before : SILENCE_MS.begun;
    if (performance.now() - seen_at > silence_ms) throw await silence(db, request);
    await sleep(POLL_MS);
  }
}

function printAnswer({ lines, is_done }: RestoreAnswer): void {
  lines.forEach(print);
  if (!is_done) process.exitCode = 1;
}

/** `learn`: asks the processors. A dry run records nothing. */
const learn = (db: Database, is_dry: boolean): Promise<void> =>
  ask(db, { id: randomUUID(), verb: 'learn', is_dry });

/** `decide`: records what a person found out at the processor. */
async function decide(db: Database, [attempt = '', ...words]: readonly string[]) {
  const is_dry = isDryRun(words);
  const found = await refuseOnError(
    (async () => parseFound(words.filter((word) => !isDryRun([word]))))(),
  );
  const user = commandUserFromEnv();
  const decision: RestoreDecision = {
    id: randomUUID(),
    verb: 'decide',
    attempt,
    ...found,
    user,
  };
  await ask(db, is_dry ? { id: decision.id, verb: 'try', decision, is_dry } : decision);
}

/** `report`: prints what was learned and what a person must decide. Exits with 1 if the ledger differs. */
async function report(db: Database): Promise<void> {
  const { lines, is_ok } = await reportRestore(db, await factOf(db, 'restored'));
  lines.forEach(print);
  if (!is_ok) process.exitCode = 1;
}

const NOT_LEARNED =
  'nothing was learned since the restore. Run restore learn, or open with --without-learning: what a processor charged since then may be charged again';

/** Changes of the lost time that nobody knows, by the option of `open` that accepts them. */
async function unknownChanges(
  db: Db,
  restored_to: string,
): Promise<Readonly<Record<string, string>>> {
  const { unreported = [] } = (await learnedOf(db, restored_to)) ?? {};
  const [doubts, reversals] = [await countDoubts(db), await countUndecidedReversals(db)];
  const undecided = [
    ...(doubts > 0 ? [`${doubts} authorisations in doubt`] : []),
    ...(reversals > 0 ? [`${reversals} reversals that nobody confirms`] : []),
  ];
  return {
    ...(undecided.length > 0 && { '--accept-undecided': undecided.join(' and ') }),
    ...(unreported.length > 0 && {
      '--accept-unreported': `later refunds at ${unreported.join(', ')}`,
    }),
  };
}

/** Throws a `Refusal` while a run learns, or if something is unknown that no option accepts. Returns what is accepted. */
async function acceptedBy(
  db: Db,
  restored_to: string,
  words: readonly string[],
): Promise<string | undefined> {
  await refuseOnError(requireNoRun(db));
  if (!(await learnedOf(db, restored_to))) {
    if (!words.includes('--without-learning')) throw new Refusal(NOT_LEARNED);
    return 'without learning';
  }
  const unknown = Object.entries(await unknownChanges(db, restored_to));
  const missing = unknown.filter(([option]) => !words.includes(option));
  if (missing.length > 0)
    throw new Refusal(
      `nobody knows about ${missing.map(([, what]) => what).join(' and ')}. Decide about what restore report lists, compare the accounts, then open with ${missing.map(([option]) => option).join(' ')}`,
    );
  return unknown.length > 0
    ? `accepting ${unknown.map(([, what]) => what).join(' and ')}`
    : undefined;
}

/** Runs a step that reads the directory of cells. Throws a `Refusal` if the step fails. */
async function withDirectory<Result>(
  db: Db,
  work: (deps: StopDeps) => Promise<Result>,
): Promise<Result | undefined> {
  if ((await cellIdOf(db)) === undefined) return undefined;
  await using global = openOne(globalDatabaseFromEnv());
  const run = async (): Promise<Result> => {
    const sealer = createSealer(await ownSecretsKeys({ db: global, config: secretsFromEnv() }));
    return await work({ db, global, sealer, open: openOne });
  };
  return await run().catch((cause: Error) => {
    throw new Refusal(
      `merchants of this cell may have moved, and the directory of cells cannot be read: ${cause.message}`,
      { cause },
    );
  });
}

const CHECK = 'Run cell check for the next step.';

const reportOnlyHere = (count: number): void => {
  if (count > 0)
    print(
      `The directory places ${count} merchants in cells that lack them. This cell serves these merchants. ${CHECK}`,
    );
};

/** Stops merchants that moved to other cells after the restored time. Returns once all processes know. */
async function stopMoved(db: Db): Promise<void> {
  const counts = await withDirectory(db, (deps) => stopMovedMerchants(deps, systemClock()));
  if (counts === undefined) return;
  reportOnlyHere(counts.only_here);
  if (counts.stopped === 0) return;
  print(`Stopped ${counts.stopped} merchants that other cells have. ${CHECK}`);
  await sleep(2 * STOPS_LIFE_MS);
}

async function reportMoved(db: Db): Promise<void> {
  const moved = await withDirectory(db, findMovedMerchants);
  if (moved === undefined) return;
  reportOnlyHere(moved.only_here.length);
  if (moved.elsewhere.length > 0)
    print(`Would stop ${moved.elsewhere.length} merchants that other cells have.`);
}

/** `open`: lets work and writes begin. Repeatable. */
async function open(db: Database, words: readonly string[]): Promise<void> {
  const restored_to = await factOf(db, 'restored');
  if (restored_to === undefined) {
    print('The installation is open already.');
    return;
  }
  if (words.includes('--dry-run')) {
    await acceptedBy(db, restored_to, words);
    await reportMoved(db);
    print(`Would open the installation, restored to ${restored_to}.`);
    return;
  }
  await acceptedBy(db, restored_to, words);
  await stopMoved(db);
  await db.transaction(async (tx) => {
    // Deleted first: a run that begins meanwhile waits for this transaction, and then finds the installation open.
    if (!(await deleteFact(tx, 'restored'))) return;
    const accepted = await acceptedBy(tx, restored_to, words);
    await logCommand(tx, 'open', accepted ? `${restored_to}, ${accepted}` : restored_to);
  });
  print('The installation is open. Running processes begin their work within two seconds.');
  const held = await undecidedAttempts(db, 1);
  if (held.length > 0) print('Some payments stay held. Decide them with restore decide.');
}

/** `close`: for a database that other programs restored. Refused while a Florin of the database runs. */
async function close(stored: Database, restored_to: string, is_dry: boolean): Promise<void> {
  const db = is_dry ? dryRunOf(stored) : stored;
  if (Date.parse(restored_to) * MICROS_PER_MILLI > systemClock().now())
    throw new Refusal(
      `${restored_to} is in the future. Give the time that the database was restored to`,
    );
  await db.transaction(async (tx) => {
    await refuseOnError(requireStopped(tx, systemClock().now()));
    await replaceFact(tx, 'restored', restored_to);
    await logCommand(tx, 'close', restored_to);
  });
  print(`${is_dry ? DRY_RUN_HEAD : ''}The installation is closed, as restored to ${restored_to}.`);
}

async function main([command, ...words]: readonly string[]): Promise<void> {
  await using db = openOne(databaseFromEnv());
  if (command === 'status') await refuseOnError(status(db));
  else if (command === 'learn') await learn(db, words.includes('--dry-run'));
  else if (command === 'report') await refuseOnError(report(db));
  else if (command === 'decide') await decide(db, words);
  else if (command === 'open') await open(db, words);
  else await close(db, words[0] ?? '', isDryRun(words));
}

await main(process.argv.slice(2)).catch((error: Error) => {
  const began =
    error instanceof Refusal
      ? 'Nothing was changed'
      : 'The command failed, and may have changed something';
  process.stderr.write(`${began}: ${error.message}.\n`);
  process.exitCode = 1;
});
