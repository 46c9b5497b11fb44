import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type AtDatabaseOptions, atDatabase, isAtMostDryRun } from '../commands/at-database.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { requireUsable } from '../kernel/usable-directory.ts';
import { takeLock } from '../supervisor/lock.ts';
import { readSound, requireEmbedded } from './backup-command.ts';
import { defaultKeyFile } from './backup-target.ts';
import { keyNotes, segmentNotes, suspectSegments } from './catalog.ts';
import { readBackupKey } from './keys/backup-key.ts';
import { createProgress, mebibytes } from './progress.ts';
import { openRepository } from './repository.ts';
import { checkRestore, type Restore, runRestore } from './restore.ts';
import { planRestore } from './restore-plan.ts';
import { readShipped, rolledBack } from './rolled-back.ts';
import { publishStage, readyNote, requireEmpty } from './stage.ts';

export const RESTORE_USAGE = `       npm run florin -- restore DIRECTORY --keys COPY [--to TIME] [--key FILE] [--dry-run]
           restores a backup into the data directory, which must be empty; COPY is from "florin backup keys", or a
           data directory that was moved away; TIME is such as 2026-12-01T06:00:00Z, the end of the log by default
       npm run florin -- restore status | learn [--dry-run] | report | open [OPTIONS] | close TIME [--dry-run]
           a restored Florin is closed: it sends nothing and refuses payments. status lists what it would do, learn
           asks the processors what happened since, report tells what a person must decide, open opens it, close
           closes a database that another program restored to TIME. OPTIONS: --dry-run, --without-learning,
           --accept-undecided: authorisations and reversals of the report that nobody decided about,
           --accept-unreported: refunds of the lost time at accounts that do not list them
       npm run florin -- restore decide ATTEMPT charged [REFERENCE] | not-charged [--dry-run]
       npm run florin -- restore decide ATTEMPT unchanged | [captured AMOUNT ...] [released] [refunded AMOUNT ...] [--dry-run]
           records what you found out at the processor about an attempt or authorisation of the report, all changes of
           an authorisation at once and in their order; also for what is undecided once Florin is open`;

interface Words {
  readonly directory: string;
  readonly keys: string;
  readonly key_file: string;
  readonly until: string | undefined;
  readonly isDryRun: boolean;
}

/** Restores a backup. Resolves with the exit code. Throws `PlainFailure`, with nothing touched, if it cannot. */
export async function restore(words: string[], options: AtDatabaseOptions): Promise<number> {
  if (GATE_VERBS.has(words[0] ?? '')) return atGate(words, options);
  const given = parse(words);
  const { settings, packages, print } = options;
  requireEmbedded(settings);
  const { dataDir } = settings;
  await requireEmpty(dataDir);
  requireUsable(dataDir);
  if (readyNote(dataDir)) return finish(given, dataDir, print);
  const repository = await openRepository(given.directory, readBackupKey(given.key_file));
  const catalog = await readSound(repository);
  for (const note of keyNotes(repository, catalog)) print(note);
  const rollback = rolledBack(repository, catalog, readShipped(given.keys));
  if (rollback) print(`WARNING: ${rollback}`);
  const decision = planRestore(catalog, given.until);
  if ('refusal' in decision) throw new PlainFailure(decision.refusal);
  const { plan } = decision;
  const progress = createProgress();
  const work: Restore = { repository, plan, dataDir, keys: given.keys, packages, progress };
  const forged = suspectSegments(repository, catalog, await checkRestore(work));
  segmentNotes(forged).forEach(print);
  const bytes = plan.base.files.reduce((sum, file) => sum + file.bytes, 0);
  const text = `${mebibytes(bytes)} of ${plan.base.label} and ${plan.segments.length} segments of the log into ${dataDir}, to ${plan.knows_until}`;
  if (given.isDryRun) {
    print(`Everything verifies. Would restore ${text}.`);
    return 0;
  }
  using _lock = await takeLock(dataDir);
  await runRestore(work);
  print(`Restored ${text}.\n${NEXT}`);
  return 0;
}

const GATE_VERBS = new Set(['status', 'open', 'close', 'learn', 'report', 'decide']);

/** Runs a command about the closed state of a restored database, embedded or not. */
async function atGate(words: string[], options: AtDatabaseOptions): Promise<number> {
  const [verb, word, ...rest] = words;
  if (verb === 'close' && isAtMostDryRun(rest) && word)
    return atDatabase(options, 'restored.ts', { words: ['close', parseTime(word), ...rest] });
  if (!isGateCommand(words)) throw usageError();
  return atDatabase(options, 'restored.ts', { words });
}

const FLAGS: Readonly<Record<string, readonly string[]>> = {
  status: [],
  report: [],
  learn: ['--dry-run'],
  open: ['--dry-run', '--without-learning', '--accept-undecided', '--accept-unreported'],
};

function isGateCommand([verb = '', ...words]: readonly string[]): boolean {
  if (verb !== 'decide') return words.every((word) => FLAGS[verb]?.includes(word)) && !!FLAGS[verb];
  const [attempt, outcome, ...rest] = words.filter((word) => word !== '--dry-run');
  if (!attempt || !outcome) return false;
  if (outcome === 'captured' || outcome === 'refunded' || outcome === 'released') return true;
  return rest.length <= (outcome === 'charged' ? 1 : 0);
}

const NEXT =
  'Florin is closed until you open it. Start Florin, run "florin restore learn" and "florin restore report", then "florin restore open". The backup of this installation ends here: run "florin backup" with an empty directory.';

async function finish({ isDryRun }: Words, dataDir: string, print: (text: string) => void) {
  if (isDryRun) {
    print(
      `Would finish the interrupted restore into ${dataDir}, which only needs its files moved.`,
    );
    return 0;
  }
  using _lock = await takeLock(dataDir);
  await publishStage(dataDir);
  print(`Finished the interrupted restore into ${dataDir}.\n${NEXT}`);
  return 0;
}

const usageError = () => new PlainFailure(`Usage:\n${RESTORE_USAGE}`);
/** Time with a time zone, because the clock of a reader's machine may have another. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)$/;

function parse(words: string[]): Words {
  const { values, positionals } = parseWords(words);
  const [directory, ...rest] = positionals;
  if (!directory || rest.length > 0 || !values.keys) throw usageError();
  const keys = resolve(values.keys);
  if (!existsSync(keys))
    throw new PlainFailure(`${keys} is absent. Name the copy of the keys with --keys.`);
  return {
    directory: resolve(directory),
    keys,
    key_file: resolve(values.key ?? defaultKeyFile(keys)),
    until: values.to === undefined ? undefined : parseTime(values.to),
    isDryRun: values['dry-run'] ?? false,
  };
}

function parseTime(text: string): string {
  if (TIME.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new PlainFailure(
    `--to must be a time with its zone, such as 2026-12-01T06:00:00Z; it is "${text}".`,
  );
}

function parseWords(words: string[]) {
  try {
    return parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        keys: { type: 'string' },
        key: { type: 'string' },
        to: { type: 'string' },
        'dry-run': { type: 'boolean' },
      },
    });
  } catch {
    throw usageError();
  }
}
