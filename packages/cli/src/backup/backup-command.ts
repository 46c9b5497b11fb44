import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type AtDatabaseOptions,
  atDatabase,
  requireInstallation,
} from '../commands/at-database.ts';
import type { StartSettings } from '../config/env.ts';
import { withClient } from '../database/client.ts';
import { requireOwnDatabase } from '../database/own-database.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { realPath } from '../kernel/real-path.ts';
import { requireUsable } from '../kernel/usable-directory.ts';
import { databaseAccount } from '../postgres/account.ts';
import { chooseLocation } from '../postgres/database-location.ts';
import { usePostgres } from '../postgres/use-postgres.ts';
import { takeLock } from '../supervisor/lock.ts';
import {
  type BackupTarget,
  chooseTarget,
  isWithin,
  readTarget,
  removeTarget,
  stateDirectory,
  storeTarget,
} from './backup-target.ts';
import { type Manifest, takeBaseBackup } from './base-backup.ts';
import { type Catalog, keyNotes, readCatalog, segmentNotes, suspectSegments } from './catalog.ts';
import { filesOf } from './cluster-files.ts';
import { ensureBackupKey, keysOf, readBackupKey } from './keys/backup-key.ts';
import { keptApart, replaceKeyCopy } from './keys/key-files.ts';
import { rotateBackupKey } from './keys/rotate-key.ts';
import { gapsBetween } from './log-segments.ts';
import { createProgress, mebibytes } from './progress.ts';
import { prunable, prune } from './prune.ts';
import { ensureRepository, openRepository, type Repository } from './repository.ts';
import { reachOf } from './restore-plan.ts';
import { readShipped, rolledBack } from './rolled-back.ts';
import { SealBroken } from './seal.ts';
import { discardLog, keepLog, type LogState, shipLog } from './ship-log.ts';
import { verifyParts } from './verify.ts';

export const BACKUP_USAGE = `       npm run florin -- backup [DIRECTORY] [--key FILE] [--keep N] [--dry-run]
           copies the embedded database into DIRECTORY, encrypted, and its log from then on; later runs need no names.
           Keeps the last N base backups, 7 by default, and creates the key FILE if it is absent
       npm run florin -- backup keys DIRECTORY [--dry-run]
           copies the keys of the installation into DIRECTORY, which must be apart from the backup
       npm run florin -- backup rotate [--dry-run]
           makes a new key for new backups; the old one stays in the key file, and opens older backups
       npm run florin -- backup list | verify [DIRECTORY] [--key FILE]
           list tells to which times the backup can be restored; verify decrypts and compares everything
       npm run florin -- backup stop [--dry-run]
           keeps no log any more, until the next backup`;

const KEEP_DEFAULT = 7;

interface Words {
  readonly verb: string | undefined;
  readonly directory: string | undefined;
  readonly key_file: string | undefined;
  readonly keep: number;
  readonly isDryRun: boolean;
}

/** Runs a command of `florin backup`. Resolves with the exit code: 1 if a backup does not verify. */
export async function backup(words: string[], options: AtDatabaseOptions): Promise<number> {
  const given = parse(words);
  if (given.verb === 'list') return list(given, options);
  if (given.verb === 'verify') return verify(given, options);
  requireEmbedded(options.settings);
  requireInstallation(options.settings.dataDir);
  if (given.verb === 'keys') return copyKeys(given, options);
  if (given.verb === 'rotate') return rotateBackupKey(given.isDryRun, options);
  if (given.verb === 'stop') return stop(given.isDryRun, options);
  return given.isDryRun ? describe(given, options) : takeBackup(given, options);
}

const VERBS = ['list', 'verify', 'keys', 'rotate', 'stop'];
/** Verbs that take no directory. */
const ALONE = new Set<string | undefined>(['rotate', 'stop']);
const usageError = () => new PlainFailure(`Usage:\n${BACKUP_USAGE}`);

function parse(words: string[]): Words {
  const { values, positionals } = parseWords(words);
  const [first, second, ...rest] = positionals;
  const verb = VERBS.find((name) => name === first);
  const directory = verb ? second : first;
  const keep = Number(values.keep ?? KEEP_DEFAULT);
  const isWrong =
    rest.length > 0 ||
    (!verb && second !== undefined) ||
    (verb === 'keys' && !directory) ||
    (ALONE.has(verb) && directory !== undefined) ||
    !(Number.isInteger(keep) && keep >= 1);
  if (isWrong) throw usageError();
  return { verb, directory, key_file: values.key, keep, isDryRun: values['dry-run'] ?? false };
}

function parseWords(words: string[]) {
  try {
    return parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        key: { type: 'string' },
        keep: { type: 'string' },
        'dry-run': { type: 'boolean' },
      },
    });
  } catch {
    throw usageError();
  }
}

/** Throws `PlainFailure` for an installation with a database of its own. */
export function requireEmbedded(settings: StartSettings): void {
  requireOwnDatabase(settings);
  if (!settings.databaseUrl) return;
  throw new PlainFailure(
    'florin backup and florin restore are for the embedded database, and DATABASE_URL is set. Use pgBackRest: /docs/operate/backup.',
  );
}

async function takeBackup(given: Words, options: AtDatabaseOptions): Promise<number> {
  const { dataDir } = options.settings;
  const target = chooseTarget(dataDir, given);
  requireUsable(target.directory);
  using _lock = await takeLock(stateDirectory(dataDir));
  const { key, isNew } = await ensureBackupKey(target.key_file);
  if (isNew) options.print(newKeyText(target.key_file));
  // Noted before the repository exists, so that a repeated run recognises the repository as its own.
  await storeTarget(dataDir, target);
  const repository = await ensureRepository(target.directory, key, target.repository_id);
  const { manifest, state } = await copyDatabase(dataDir, repository);
  const pruned = await prune(repository, given.keep);
  options.print(summaryText(target, manifest, state, pruned));
  return atDatabase(options, 'doctor.ts', { words: ['record', 'backup'] });
}

const newKeyText = (file: string): string =>
  `Created the backup key ${file}. Without it nobody can restore: keep a copy apart from the backup, with "florin backup keys DIRECTORY".`;

const copyDatabase = (dataDir: string, repository: Repository) =>
  usePostgres(dataDir, (postgres) =>
    withClient(postgres.url('postgres'), async (client) => {
      await keepLog(client, postgres);
      const progress = createProgress();
      const manifest = await takeBaseBackup({ client, postgres, dataDir, repository, progress });
      return { manifest, state: await shipLog({ client, postgres, dataDir, repository }) };
    }),
  );

function summaryText(
  { directory }: BackupTarget,
  { label, files }: Manifest,
  { covers_until }: LogState,
  pruned: number,
): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [
    `Backed up ${files.length} files, ${mebibytes(bytes)}, as ${label} in ${directory}. The log covers the time until ${covers_until}.`,
    ...(pruned > 0 ? [`Removed ${pruned} older base ${pruned === 1 ? 'backup' : 'backups'}.`] : []),
  ].join('\n');
}

async function describe(given: Words, { settings, print }: AtDatabaseOptions): Promise<number> {
  const target = chooseTarget(settings.dataDir, given);
  requireUsable(target.directory);
  const location = await chooseLocation(settings.dataDir, databaseAccount());
  const files = await filesOf(location.cluster);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  print(`Would copy ${files.length} files, ${mebibytes(bytes)}, into ${target.directory}.`);
  if (!existsSync(target.key_file)) {
    print(`Would create the key ${target.key_file}.`);
    return 0;
  }
  const key = readBackupKey(target.key_file);
  if (!existsSync(target.directory)) return 0;
  const catalog = await readCatalog(await openRepository(target.directory, key)).catch(
    (error: unknown) => {
      if (error instanceof PlainFailure) return undefined;
      throw error;
    },
  );
  const { labels } = catalog ? prunable(catalog, given.keep - 1 || 1) : { labels: [] };
  if (labels.length > 0) print(`Would remove the base backups ${labels.join(', ')}.`);
  return 0;
}

async function copyKeys(
  { directory = '', isDryRun }: Words,
  { settings, print }: AtDatabaseOptions,
) {
  const { dataDir } = settings;
  const to = resolve(directory);
  const target = readTarget(dataDir);
  for (const other of [target?.directory, resolve(dataDir)])
    if (other && (isWithin(to, other) || isWithin(other, to)))
      throw new PlainFailure(`${to} is not apart from ${other}. Name another directory.`);
  // The copy is made beside its directory, then renamed.
  requireUsable(dirname(to));
  // Read first, so that a key file that is away leaves the previous copy as it is.
  if (target) readBackupKey(target.key_file);
  if (isDryRun) {
    print(`Would copy ${keptApart(dataDir, target?.key_file).join(', ')} into ${to}.`);
    return 0;
  }
  const names = await replaceKeyCopy(dataDir, to, target?.key_file);
  print(
    `Copied ${names.join(', ')} into ${to}. Repeat this after each rotation of a key. Together with the backup, these files open every card.`,
  );
  return 0;
}

/** Opens the repository that a command line names, or that of the installation. */
async function openNamed({ directory, key_file }: Words, { settings }: AtDatabaseOptions) {
  const { directory: path, key_file: file } = chooseTarget(settings.dataDir, {
    directory,
    key_file,
  });
  return openRepository(path, readBackupKey(file));
}

async function list(given: Words, options: AtDatabaseOptions): Promise<number> {
  const repository = await openNamed(given, options);
  const catalog = await readSound(repository);
  for (const { label, stopped_at, files } of catalog.bases)
    options.print(
      `${label}  from ${stopped_at}  ${mebibytes(files.reduce((sum, { bytes }) => sum + bytes, 0))}`,
    );
  options.print(
    `${catalog.segments.length} segments of the log, until ${reachOf(catalog) || 'never'}`,
  );
  for (const note of keyNotes(repository, catalog)) options.print(note);
  return 0;
}

/** Reads what a repository holds. Throws `PlainFailure` if a manifest does not verify. */
export async function readSound(repository: Repository): Promise<Catalog> {
  try {
    return await readCatalog(repository);
  } catch (error) {
    if (!(error instanceof SealBroken) && (error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw error;
    throw new PlainFailure(
      `The backup does not verify: ${(error as Error).message}. Use another copy of the backup.`,
      { cause: error },
    );
  }
}

/** How far the installation has shipped its log into a repository. Other copies of it may be older. */
function shippedTo({ directory }: Repository, { settings: { dataDir } }: AtDatabaseOptions) {
  const target = readTarget(dataDir);
  return target && realPath(target.directory) === realPath(directory)
    ? readShipped(dataDir)
    : undefined;
}

async function verify(given: Words, options: AtDatabaseOptions): Promise<number> {
  const repository = await openNamed(given, options);
  const shipped = shippedTo(repository, options);
  const catalog = await readSound(repository);
  const { bases, segments, log, shut } = catalog;
  const names = segments.map(({ name }) => name);
  const { faults, keys, segment_keys } = await verifyParts(
    repository,
    bases,
    names,
    createProgress(),
  );
  for (const { name, reason } of faults) options.print(`WRONG: ${name} ${reason}`);
  const first = bases[0]?.start_segment ?? names[0];
  const last = log?.last_segment ?? bases.at(-1)?.stop_segment;
  const gaps = first && last ? gapsBetween(first, last, names) : [];
  for (const gap of gaps) options.print(`WRONG: the log has a gap: ${gap} is missing`);
  const rollback = rolledBack(repository, catalog, shipped);
  if (rollback) options.print(`WRONG: ${rollback}`);
  const forged = suspectSegments(repository, catalog, segment_keys);
  for (const note of [...keyNotes(repository, catalog), ...segmentNotes(forged)])
    options.print(note);
  if (faults.length + gaps.length > 0 || rollback) return 1;
  options.print(`ok: ${bases.length} base backups and ${names.length} segments of the log verify`);
  if (repository.key.older.length > 0)
    for (const { fingerprint } of keysOf(repository.key))
      options.print(`key ${fingerprint}: ${keys.get(fingerprint) ?? 0} files`);
  return shut > 0 ? 1 : 0;
}

/** Ends the log of the backup. A running supervisor notices within a minute. */
async function stop(isDryRun: boolean, { settings, print }: AtDatabaseOptions): Promise<number> {
  const { dataDir } = settings;
  using _lock = await takeLock(stateDirectory(dataDir));
  if (isDryRun) {
    print('Would keep no log any more. Existing backups would stay as they are.');
    return 0;
  }
  await removeTarget(dataDir);
  const { root } = await chooseLocation(dataDir, databaseAccount());
  await discardLog(root);
  print('The log is no longer kept. Existing backups stay as they are.');
  return 0;
}
