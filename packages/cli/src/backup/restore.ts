import { createWriteStream, statfsSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DATABASE } from '../commands/services.ts';
import { withClient } from '../database/client.ts';
import { forEachAtOnce } from '../kernel/for-each-at-once.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { databaseAccount, run } from '../postgres/account.ts';
import { findBinaries } from '../postgres/binaries.ts';
import { chooseLocation, type DatabaseLocation } from '../postgres/database-location.ts';
import { passwordsPath } from '../postgres/passwords.ts';
import { type Postgres, startPostgres } from '../postgres/start-postgres.ts';
import type { Manifest } from './base-backup.ts';
import { fileName } from './base-backup.ts';
import { copyKeyFiles, fingerprintsOfKeys, refuseKeys } from './keys/key-files.ts';
import { mebibytes, type Progress } from './progress.ts';
import { openSealed, type Repository } from './repository.ts';
import type { RestorePlan } from './restore-plan.ts';
import { appliedMigrations, refuseSchema, releasedMigrations } from './schema.ts';
import { logName } from './ship-log.ts';
import { openStage, publishStage } from './stage.ts';
import { verifyParts } from './verify.ts';

export interface Restore {
  readonly repository: Repository;
  readonly plan: RestorePlan;
  readonly dataDir: string;
  /** Copy of the keys, or the data directory that they were in. */
  readonly keys: string;
  /** The `packages` directory. */
  readonly packages: string;
  readonly progress: Progress;
}

const AT_ONCE = 4;
const SEGMENT_BYTES = 16 * 1024 ** 2;
/** PostgreSQL's message when the log has no transaction after the target. */
const LOG_ENDED = /recovery ended before configured recovery target was reached/;

/**
 * Throws `PlainFailure` for everything that can be known before anything is written. Resolves with the fingerprints of the
 * keys of segments, by name.
 */
export async function checkRestore(restore: Restore): Promise<ReadonlyMap<string, string>> {
  const { plan, keys, packages, repository, progress, dataDir } = restore;
  const { base, segments } = plan;
  const refusal =
    refuseKeys(base.keys, await fingerprintsOfKeys(keys), keys) ??
    refuseSchema(base.migrations, releasedMigrations(packages)) ??
    (await refuseMajor(base)) ??
    refuseSpace(plan, dataDir);
  if (refusal) throw new PlainFailure(refusal);
  const { faults, segment_keys } = await verifyParts(repository, [base], segments, progress);
  if (faults.length > 0)
    throw new PlainFailure(
      `The backup does not verify: ${faults[0]?.name} ${faults[0]?.reason}${faults.length > 1 ? `, and ${faults.length - 1} more` : ''}. Nothing was touched. Use another copy of the backup, or --to with a time before the base backup ${base.label}.`,
    );
  return segment_keys;
}

async function refuseMajor({ postgres_major }: Manifest): Promise<string | undefined> {
  const { major } = await findBinaries();
  return major === postgres_major
    ? undefined
    : `The backup is of PostgreSQL ${postgres_major}, and this Florin includes PostgreSQL ${major}. Restore with the release that wrote it.`;
}

function refuseSpace({ base, segments }: RestorePlan, dataDir: string): string | undefined {
  const wanted =
    base.files.reduce((sum, { bytes }) => sum + bytes, 0) + segments.length * SEGMENT_BYTES;
  const place = nearestDirectory(dataDir);
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize >= wanted
    ? undefined
    : `The restore needs ${mebibytes(wanted)}, and ${place} has ${mebibytes(bavail * bsize)} free. Free some space, or set FLORIN_DATA to another disk.`;
}

function nearestDirectory(path: string): string {
  try {
    statfsSync(path);
    return path;
  } catch {
    return nearestDirectory(dirname(path));
  }
}

/**
 * Restores into an empty data directory: extracts the base backup, replays the log, checks the result, and puts it in
 * its place last. A crash leaves a directory that the next run replaces.
 */
export async function runRestore(restore: Restore): Promise<void> {
  const { plan, dataDir, keys, packages } = restore;
  const stage = await openStage(dataDir);
  await copyKeyFiles(keys, stage);
  await writeFile(passwordsPath(stage), JSON.stringify(plan.base.passwords), { mode: 0o600 });
  const location = await chooseLocation(stage, databaseAccount());
  const log = join(location.root, 'postgres-restored-log');
  await extractCluster(restore, location);
  await extractLog(restore, log);
  await transferTree(location.cluster, log);
  await using postgres = await recover(stage, log, plan);
  const refusal = refuseSchema(await appliedMigrations(postgres), releasedMigrations(packages));
  if (refusal) throw new PlainFailure(refusal);
  await closeInstallation(postgres, plan.knows_until);
  await postgres.stop();
  await rm(log, { recursive: true });
  await rm(join(location.root, 'postgres-socket'), { recursive: true, force: true });
  await publishStage(dataDir);
}

/** Notes in the database that it was restored: a server then sends nothing until an operator opens it. */
const closeInstallation = (postgres: Postgres, restored_to: string): Promise<unknown> =>
  withClient(postgres.url(DATABASE), (client) =>
    client.query(
      `insert into installation_facts (name, value) values ('restored', $1)
       on conflict (name) do update set value = excluded.value`,
      [restored_to],
    ),
  );

async function extractCluster(
  { repository, plan, progress }: Restore,
  { cluster }: DatabaseLocation,
): Promise<void> {
  const { label, files, directories } = plan.base;
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  for (const path of directories)
    await mkdir(join(cluster, path), { recursive: true, mode: 0o700 });
  progress.begin(
    'Extracted',
    files.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  await forEachAtOnce(AT_ONCE, files, async ({ path, bytes }) => {
    await extract(repository, fileName(label, path), join(cluster, path));
    progress.add(bytes);
  });
  progress.end();
}

async function extractLog({ repository, plan, progress }: Restore, directory: string) {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  progress.begin('Extracted', plan.segments.length * SEGMENT_BYTES);
  await forEachAtOnce(AT_ONCE, plan.segments, async (segment) => {
    await extract(repository, logName(segment), join(directory, segment));
    progress.add(SEGMENT_BYTES);
  });
  progress.end();
}

const extract = (repository: Repository, name: string, path: string) =>
  openSealed(repository, name, createWriteStream(path, { mode: 0o600, flags: 'wx' }));

async function transferTree(...paths: string[]): Promise<void> {
  const account = databaseAccount();
  if (!account) return;
  const owner = `${account.uid}:${account.gid}`;
  for (const path of paths) {
    const { code, output } = await run(undefined, 'chown', ['-R', owner, path]);
    if (code !== 0)
      throw new PlainFailure(`${path} cannot be given to PostgreSQL: ${output.trim()}`);
    await chmod(path, 0o700);
  }
}

/**
 * Replays the log up to the target. PostgreSQL refuses a target without a later transaction in the log. A log without
 * a gap that covers the target ends at it, so then its end is the target.
 */
async function recover(
  stage: string,
  directory: string,
  { until, is_whole }: RestorePlan,
): Promise<Postgres> {
  try {
    return await startPostgres({ dataDir: stage, recovery: { directory, until } });
  } catch (error) {
    if (!until || !(error instanceof PlainFailure) || !LOG_ENDED.test(error.message)) throw error;
    if (is_whole) return startPostgres({ dataDir: stage, recovery: { directory } });
    throw new PlainFailure(
      `The log ends before ${until}, because a segment is missing. Give an earlier time with --to, and run the command again.`,
      { cause: error },
    );
  }
}
