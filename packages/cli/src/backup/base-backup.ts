import { constants, existsSync, readdirSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type pg from 'pg';
import { forEachAtOnce } from '../kernel/for-each-at-once.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { syncDirectory } from '../kernel/sync-directory.ts';
import { PARTIAL } from '../kernel/write-whole.ts';
import type { RunningPostgres } from '../postgres/start-postgres.ts';
import { type ClusterFile, directoriesOf, filesOf } from './cluster-files.ts';
import { fingerprintsOfKeys, type KeyFingerprint } from './keys/key-files.ts';
import type { Progress } from './progress.ts';
import { type Content, type Repository, storeJson, storeSealed } from './repository.ts';
import { appliedMigrations, type Migrations } from './schema.ts';
import { UTC_NOW } from './ship-log.ts';

/** Everything about a base backup that a restore needs, sealed. */
export interface Manifest {
  readonly label: string;
  /** First moment that the backup can be restored to, in ISO 8601. */
  readonly stopped_at: string;
  /** First and last segment of the log without which the backup is worth nothing. */
  readonly start_segment: string;
  readonly stop_segment: string;
  readonly postgres_major: string;
  readonly migrations: Migrations;
  readonly passwords: RunningPostgres['passwords'];
  readonly keys: readonly KeyFingerprint[];
  readonly directories: readonly string[];
  readonly files: readonly (Content & { readonly path: string })[];
}

/** Name of the manifest of a base backup in its repository. */
export const manifestName = (label: string): string => `base/${label}/manifest`;
export const fileName = (label: string, path: string): string => `base/${label}/files/${path}`;

const AT_ONCE = 4;
const PLAIN_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export interface BaseBackup {
  readonly client: pg.Client;
  readonly postgres: RunningPostgres;
  readonly dataDir: string;
  readonly repository: Repository;
  readonly progress: Progress;
}

/**
 * Copies the running cluster by PostgreSQL's low-level interface for backups. The backup appears under its label once
 * it is complete; a crash leaves a directory that the next run removes.
 */
export async function takeBaseBackup(backup: BaseBackup): Promise<Manifest> {
  const { client, repository, postgres } = backup;
  await removePartials(repository);
  const label = new Date().toISOString().replace(/[-:.]/g, '');
  const partial = join(repository.directory, 'base', `${label}${PARTIAL}`);
  await mkdir(join(partial, 'files'), { recursive: true, mode: 0o700 });
  await client.query('set statement_timeout = 0');
  const start_segment = await startBackup(client, label);
  const files = await copyFiles(backup, label, partial);
  const { stop_segment, stopped_at, texts } = await stopBackup(client);
  for (const [path, text] of texts) files.push(await storeText(backup, label, partial, path, text));
  const manifest: Manifest = {
    label,
    stopped_at,
    start_segment,
    stop_segment,
    postgres_major: (await readFile(join(postgres.directory, 'PG_VERSION'), 'utf8')).trim(),
    migrations: await appliedMigrations(postgres),
    passwords: postgres.passwords,
    keys: await fingerprintsOfKeys(backup.dataDir),
    directories: await directoriesOf(postgres.directory),
    files,
  };
  await storeJson(repository, manifestName(label), manifest, join(partial, 'manifest'));
  await rename(partial, join(repository.directory, 'base', label));
  await syncDirectory(join(repository.directory, 'base'));
  return manifest;
}

async function removePartials({ directory }: Repository): Promise<void> {
  const base = join(directory, 'base');
  for (const name of readdirSync(base).filter((name) => name.endsWith(PARTIAL)))
    await rm(join(base, name), { recursive: true });
}

async function startBackup(client: pg.Client, label: string): Promise<string> {
  const sql = 'select pg_walfile_name(pg_backup_start($1, true)) as segment';
  const [row] = (await client.query(sql, [label])).rows as { segment: string }[];
  return row?.segment ?? '';
}

/** Resolves once PostgreSQL has handed over the last segment that the backup needs. */
async function stopBackup(client: pg.Client) {
  const sql = `select pg_walfile_name(lsn) as stop_segment, labelfile,
    ${UTC_NOW} as stopped_at from pg_backup_stop(true)`;
  const [row] = (await client.query(sql)).rows as {
    stop_segment: string;
    labelfile: string;
    stopped_at: string;
  }[];
  if (!row) throw new Error('pg_backup_stop answered nothing');
  return {
    stop_segment: row.stop_segment,
    stopped_at: row.stopped_at,
    texts: [
      ['backup_label', row.labelfile],
      ['recovery.signal', ''],
    ] as const,
  };
}

async function copyFiles(backup: BaseBackup, label: string, partial: string) {
  const { postgres, progress } = backup;
  if (readdirSync(join(postgres.directory, 'pg_tblspc')).length > 0)
    throw new PlainFailure(
      'The database has tablespaces, which florin backup cannot copy. Move their tables to pg_default.',
    );
  const listed = await filesOf(postgres.directory);
  for (const path of await directoriesOf(postgres.directory))
    await mkdir(join(partial, 'files', path), { recursive: true, mode: 0o700 });
  progress.begin(
    'Copied',
    listed.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  const files: (Content & { readonly path: string })[] = [];
  await forEachAtOnce(AT_ONCE, listed, async (file) => {
    const content = await copyFile(backup, label, partial, file);
    if (content) files.push({ path: file.path, ...content });
    progress.add(file.bytes);
  });
  progress.end();
  return files;
}

/** Returns undefined for a file that PostgreSQL removed meanwhile. The log has what was done to it. */
async function copyFile(
  { repository, postgres }: BaseBackup,
  label: string,
  partial: string,
  { path }: ClusterFile,
): Promise<Content | undefined> {
  const place = { path: join(partial, 'files', path), name: fileName(label, path) };
  const from = join(postgres.directory, path);
  if (path === CONTROL_FILE)
    return storeSealed(repository, place, Readable.from([await readControl(from)]));
  try {
    await using file = await open(from, PLAIN_FILE);
    return await storeSealed(repository, place, file.createReadStream({ autoClose: false }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync(from)) return undefined;
    throw error;
  }
}

const CONTROL_FILE = 'global/pg_control';

/** PostgreSQL overwrites this file in place, so it is read until two reads agree. */
async function readControl(path: string): Promise<Buffer> {
  for (let last = await readFile(path); ; ) {
    const next = await readFile(path);
    if (next.equals(last)) return next;
    last = next;
  }
}

async function storeText(
  { repository }: BaseBackup,
  label: string,
  partial: string,
  path: string,
  text: string,
): Promise<Content & { readonly path: string }> {
  const place = { path: join(partial, 'files', path), name: fileName(label, path) };
  const content = await storeSealed(repository, place, Readable.from([Buffer.from(text)]));
  return { path, ...content };
}
