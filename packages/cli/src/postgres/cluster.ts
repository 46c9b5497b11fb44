import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { readForeign } from '../kernel/read-foreign.ts';
import { type Account, run } from './account.ts';
import type { Binaries } from './binaries.ts';
import type { DatabaseLocation } from './database-location.ts';
import { ensurePasswords, type Passwords, passwordsPath } from './passwords.ts';
import { type PostgresSettings, renderSettings } from './settings.ts';

/** A cluster, with all data for its start and stop. */
export interface Cluster extends DatabaseLocation {
  readonly dataDir: string;
  readonly binaries: Binaries;
  readonly account: Account | undefined;
}

const SETTINGS_FILE = 'florin.conf';

/** Shell scripts. $1 is the path, $2 the content, $3 unique to the call. */
const APPEND = 'printf %s "$2" >> "$1"';
/**
 * Each call has a draft of its own, so that none moves the half-written draft of another. A killed process leaves its
 * draft, and the first call a minute later removes it.
 */
const REPLACE = `
  umask 077
  set -C
  find "\${1%/*}" -maxdepth 1 -name "\${1##*/}*.new" -mmin +1 -exec rm -f {} +
  draft="$1.$3.new"
  trap 'rm -f "$draft"' EXIT
  trap 'exit 1' HUP INT TERM
  printf %s "$2" > "$draft" && sync "$draft" && mv -f "$draft" "$1"`;

/** Creates the cluster if absent, otherwise checks that these binaries can read it. */
export async function ensureCluster(cluster: Cluster, durable: boolean): Promise<Passwords> {
  if (existsSync(cluster.cluster)) {
    refuseOtherMajor(cluster);
    refuseLostPasswords(cluster);
    return ensurePasswords(cluster.dataDir);
  }
  const passwords = await ensurePasswords(cluster.dataDir);
  await createCluster(cluster, passwords.postgres, durable);
  return passwords;
}

function refuseOtherMajor({ cluster, binaries }: Cluster): void {
  const major = readForeign(join(cluster, 'PG_VERSION')).trim();
  if (major === binaries.major) return;
  throw new PlainFailure(
    `The database in ${cluster} was created by PostgreSQL ${major}, but this Florin includes PostgreSQL ${binaries.major}. Start the Florin that created it and copy the data with pg_dump, or set DATABASE_URL to a PostgreSQL server that holds it.`,
  );
}

function refuseLostPasswords({ cluster, dataDir }: Cluster): void {
  if (existsSync(passwordsPath(dataDir))) return;
  throw new PlainFailure(
    `${passwordsPath(dataDir)} is missing: nobody can open the database in ${cluster} without it. Restore the file, or remove ${dataDir} to start with an empty database.`,
  );
}

/** Creates the cluster under a temporary name and renames it last, so that a crash leaves no partial cluster. */
async function createCluster(target: Cluster, password: string, durable: boolean): Promise<void> {
  const partialPath = `${target.cluster}.new`;
  const passwordFile = join(target.root, 'initdb-password');
  await removePartialCluster(target, partialPath);
  await mkdir(partialPath, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  try {
    await transferOwnership(target, partialPath, passwordFile);
    await initdb(target, [`--pgdata=${partialPath}`, `--pwfile=${passwordFile}`], durable);
    const include = `include = '${SETTINGS_FILE}'\n`;
    await writeAs(target, APPEND, join(partialPath, 'postgresql.conf'), include);
    await rename(partialPath, target.cluster);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** The directory belongs to root and its content to the account: each user removes its own part. */
async function removePartialCluster(target: Cluster, partialPath: string): Promise<void> {
  await run(target.account, 'rm', ['-rf', partialPath]);
  if (existsSync(partialPath)) await rmdir(partialPath);
}

async function initdb(target: Cluster, paths: string[], durable: boolean): Promise<void> {
  const program = join(target.binaries.home, 'bin', 'initdb');
  const fixedArgs = [
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
  ];
  const args = [...paths, ...fixedArgs, '--data-checksums', ...(durable ? [] : ['--no-sync'])];
  const { code, output } = await run(target.account, program, args);
  if (code === 0) return;
  const reason = /(?:error|FATAL): (.*)/.exec(output)?.[1] ?? output.trim();
  throw new PlainFailure(`PostgreSQL could not create a database in ${target.root}: ${reason}`);
}

export async function writeSettings(target: Cluster, settings: PostgresSettings): Promise<void> {
  await writeAs(target, REPLACE, join(target.cluster, SETTINGS_FILE), renderSettings(settings));
}

/** Writes as the database user, because a link in its directory could lead root to any file. */
async function writeAs(
  { account }: Cluster,
  script: string,
  path: string,
  text: string,
): Promise<void> {
  const { code, output } = await run(account, '/bin/sh', [
    ...['-c', script, 'sh'],
    ...[path, text, randomUUID()],
  ]);
  if (code !== 0) throw new PlainFailure(`${path} cannot be written: ${output.trim()}`);
}

/** Transfers files of root's directories to the database user. */
export async function transferOwnership({ account }: Cluster, ...paths: string[]): Promise<void> {
  if (account) await Promise.all(paths.map((path) => chown(path, account.uid, account.gid)));
}
