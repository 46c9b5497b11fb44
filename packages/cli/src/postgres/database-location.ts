import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../kernel/write-whole.ts';
import { type Account, canEnter } from './account.ts';
import type { Binaries } from './binaries.ts';

const STATE_ROOT = '/var/lib';
/** Note in the data directory that names a database elsewhere. */
export const LOCATION_NOTE = 'postgres-place';

/** Paths of a data directory's PostgreSQL. */
export interface DatabaseLocation {
  readonly root: string;
  /** The cluster: PostgreSQL's own data directory. */
  readonly cluster: string;
}

/**
 * Returns the data directory itself. If the database user may not enter it (a clone under /root), returns a directory
 * under /var/lib and records that directory in the data directory.
 */
export async function chooseLocation(
  dataDir: string,
  account?: Account,
): Promise<DatabaseLocation> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (!account) return locationIn(dataDir);
  const noteFile = join(dataDir, LOCATION_NOTE);
  if (existsSync(noteFile)) return locationIn((await readFile(noteFile, 'utf8')).trim());
  // The permission to traverse reveals no content: secret files have modes of their own.
  await chmod(dataDir, 0o711);
  if (canEnter(account, dataDir)) return locationIn(dataDir);
  const fallback = join(STATE_ROOT, `florin-${randomBytes(6).toString('hex')}`);
  await writeWhole(noteFile, `${fallback}\n`);
  return locationIn(fallback);
}

const locationIn = (root: string): DatabaseLocation => ({ root, cluster: join(root, 'postgres') });

/** Returns the binaries, or a copy if the account may not enter their directory. */
export async function reachableBinaries(
  binaries: Binaries,
  { root }: DatabaseLocation,
  account?: Account,
): Promise<Binaries> {
  await mkdir(root, { recursive: true });
  if (account) await chmod(root, 0o711);
  if (!account || canEnter(account, join(binaries.home, 'bin', 'postgres'))) return binaries;
  const home = join(root, `postgresql-${binaries.version}`);
  if (!existsSync(home)) await copyWhole(binaries.home, home);
  return { ...binaries, home };
}

async function copyWhole(from: string, to: string): Promise<void> {
  const partial = `${to}.new`;
  await rm(partial, { recursive: true, force: true });
  try {
    await cp(from, partial, { recursive: true, verbatimSymlinks: true });
    await chmod(partial, 0o755);
    await rename(partial, to);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}
