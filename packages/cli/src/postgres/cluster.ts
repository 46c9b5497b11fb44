import { existsSync } from 'node:fs';
import { appendFile, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { type Account, run } from './account.ts';
import type { Binaries } from './binaries.ts';
import { ensurePasswords, type Passwords, passwordsPath } from './passwords.ts';
import type { Place } from './place.ts';
import { type PostgresSettings, renderSettings } from './settings.ts';

/** Everything about one cluster that its start and its end need. */
export interface Cluster extends Place {
  readonly dataDir: string;
  readonly binaries: Binaries;
  readonly account: Account | undefined;
}

const SETTINGS_FILE = 'florin.conf';

/** Makes the cluster where there is none, and otherwise checks that these binaries can read it. */
export async function ensureCluster(cluster: Cluster, durable: boolean): Promise<Passwords> {
  if (existsSync(cluster.cluster)) {
    await refuseOtherMajor(cluster);
    refuseLostPasswords(cluster);
    return ensurePasswords(cluster.dataDir);
  }
  const passwords = await ensurePasswords(cluster.dataDir);
  await createCluster(cluster, passwords.postgres, durable);
  return passwords;
}

async function refuseOtherMajor({ cluster, binaries }: Cluster): Promise<void> {
  const major = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (major === binaries.major) return;
  throw new PlainFailure(
    `The database in ${cluster} was made by PostgreSQL ${major} and this Florin brings PostgreSQL ${binaries.major}: start the Florin that made it and copy the data with pg_dump, or set DATABASE_URL to a PostgreSQL that holds it.`,
  );
}

function refuseLostPasswords({ cluster, dataDir }: Cluster): void {
  if (existsSync(passwordsPath(dataDir))) return;
  throw new PlainFailure(
    `${passwordsPath(dataDir)} is missing, and without it nobody can open the database in ${cluster}: put it back, or remove ${dataDir} to begin with an empty database.`,
  );
}

/** Made beside its final name and renamed last, so that a start that dies half way leaves no half a cluster. */
async function createCluster(target: Cluster, password: string, durable: boolean): Promise<void> {
  const partial = `${target.cluster}.new`;
  const passwordFile = join(target.root, 'initdb-password');
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  try {
    await give(target, partial, passwordFile);
    await initdb(target, [`--pgdata=${partial}`, `--pwfile=${passwordFile}`], durable);
    await appendFile(join(partial, 'postgresql.conf'), `include = '${SETTINGS_FILE}'\n`);
    await rename(partial, target.cluster);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function initdb(target: Cluster, paths: string[], durable: boolean): Promise<void> {
  const program = join(target.binaries.home, 'bin', 'initdb');
  const fixed = ['--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C'];
  const args = [...paths, ...fixed, '--data-checksums', ...(durable ? [] : ['--no-sync'])];
  const { code, output } = await run(target.account, program, args);
  if (code === 0) return;
  const why = /(?:error|FATAL): (.*)/.exec(output)?.[1] ?? output.trim();
  throw new PlainFailure(`PostgreSQL could not make a database in ${target.root}: ${why}`);
}

export async function writeSettings(target: Cluster, settings: PostgresSettings): Promise<void> {
  const path = join(target.cluster, SETTINGS_FILE);
  await writeFile(`${path}.new`, renderSettings(settings), { mode: 0o600 });
  await give(target, `${path}.new`);
  await rename(`${path}.new`, path);
}

/** Hands files over to the user that the database runs as. */
export async function give({ account }: Cluster, ...paths: string[]): Promise<void> {
  if (account) await Promise.all(paths.map((path) => chown(path, account.uid, account.gid)));
}
