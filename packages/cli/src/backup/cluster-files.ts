import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of a cluster, with its path below the cluster's directory. */
export interface ClusterFile {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Content that a start rebuilds, after
 * https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP-DATA
 */
const REBUILT_DIRECTORIES = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'log',
]);
const REBUILT_FILES =
  /^(?:postmaster\.(?:pid|opts)|backup_label(?:\.old)?|tablespace_map|(?:recovery|standby)\.signal|florin\.conf\.new)$|(?:^|\/)(?:pg_internal\.init|pgsql_tmp)/;

/** The files of a cluster that a backup copies. */
export async function filesOf(cluster: string): Promise<ClusterFile[]> {
  const files: ClusterFile[] = [];
  for (const path of (await entriesOf(cluster)).files) {
    const stats = await lstat(join(cluster, path)).catch(() => undefined);
    if (stats?.isFile()) files.push({ path, bytes: stats.size });
  }
  return files;
}

/** The directories of a cluster, those with rebuilt content too: PostgreSQL needs them empty. */
export const directoriesOf = async (cluster: string): Promise<string[]> =>
  (await entriesOf(cluster)).directories;

async function entriesOf(cluster: string, parent = '') {
  const files: string[] = [];
  const directories: string[] = [];
  for (const entry of await readdir(join(cluster, parent), { withFileTypes: true })) {
    const path = join(parent, entry.name);
    if (REBUILT_FILES.test(path)) continue;
    if (entry.isFile()) files.push(path);
    if (!entry.isDirectory()) continue;
    directories.push(path);
    if (REBUILT_DIRECTORIES.has(path)) continue;
    const below = await entriesOf(cluster, path);
    files.push(...below.files);
    directories.push(...below.directories);
  }
  return { files, directories };
}
