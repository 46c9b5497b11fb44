import { createReadStream, existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { writeWhole } from '../kernel/write-whole.ts';
import { transferToAccount } from '../postgres/account.ts';
import { archiveDirectory } from '../postgres/log-archive.ts';
import type { RunningPostgres } from '../postgres/start-postgres.ts';
import { stateDirectory } from './backup-target.ts';
import { isSegment, segmentAfter } from './log-segments.ts';
import { type Repository, readJson, storeJson, storeSealed } from './repository.ts';

/** How far the log of a repository reaches. */
export interface LogState {
  /** All transactions up to this time, in ISO 8601, are in the repository. */
  readonly covers_until: string;
  readonly last_segment: string;
}

/** Note of an installation about how far it has shipped its log. */
export interface Shipped extends LogState {
  /** Absent in notes of earlier releases. */
  readonly repository_id?: string;
}

/** A connection as administrator, and where the log comes from and goes to. */
export interface LogShipping {
  readonly client: pg.Client;
  readonly postgres: RunningPostgres;
  readonly dataDir: string;
  readonly repository: Repository;
}

export const LOG_STATE = 'log';
/** Name of the installation's note, in the directory of its notes. */
export const SHIPPED = 'shipped.json';
/** SQL for the time of the database in ISO 8601. */
export const UTC_NOW = `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
const ARCHIVE_LIMIT_MS = 60_000;
const POLL_MS = 100;
export const logName = (segment: string): string => `wal/${segment}`;

/** Makes PostgreSQL keep its finished segments from now on. Throws `PlainFailure` if the running one cannot. */
export async function keepLog(client: pg.Client, { root }: RunningPostgres): Promise<void> {
  const [setting] = (await client.query('show archive_mode')).rows as { archive_mode: string }[];
  if (setting?.archive_mode !== 'on')
    throw new PlainFailure(
      'The running PostgreSQL does not hand over its log: an earlier Florin started it. Stop Florin, start it again, then repeat the command.',
    );
  const directory = archiveDirectory(root);
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o700);
  await transferToAccount(directory);
}

/** Makes PostgreSQL discard its finished segments again, and removes those that wait. */
export const discardLog = (root: string): Promise<void> =>
  rm(archiveDirectory(root), { recursive: true, force: true });

/**
 * Ends the current segment of the log and seals all finished ones into the repository. Repeatable: a segment leaves
 * the installation once the repository has it.
 */
export async function shipLog(shipping: LogShipping): Promise<LogState> {
  const { client, postgres, repository, dataDir } = shipping;
  const covers_until = await databaseTime(client);
  const last_segment = segmentAfter(await switchSegment(client), -1);
  await waitForArchive(shipping, last_segment);
  await transferSegments(postgres.root, repository);
  const state: LogState = { covers_until, last_segment };
  await storeJson(repository, LOG_STATE, state);
  const shipped: Shipped = { ...state, repository_id: repository.id };
  await writeWhole(join(stateDirectory(dataDir), SHIPPED), `${JSON.stringify(shipped)}\n`);
  return state;
}

async function databaseTime(client: pg.Client): Promise<string> {
  const [row] = (await client.query(`select ${UTC_NOW} as now`)).rows as { now: string }[];
  return row?.now ?? '';
}

/** Returns the segment that PostgreSQL writes now. All earlier ones are complete. */
async function switchSegment(client: pg.Client): Promise<string> {
  await client.query('select pg_switch_wal()');
  const sql = 'select pg_walfile_name(pg_current_wal_lsn() + 1) as segment';
  const [row] = (await client.query(sql)).rows as { segment: string }[];
  return row?.segment ?? '';
}

/** Waits until PostgreSQL has handed over a segment, unless it was finished before the first backup. */
async function waitForArchive({ postgres, repository }: LogShipping, segment: string) {
  const paths = [
    join(archiveDirectory(postgres.root), segment),
    join(repository.directory, logName(segment)),
  ];
  const deadline = performance.now() + ARCHIVE_LIMIT_MS;
  while (!paths.some(existsSync)) {
    if (performance.now() > deadline)
      throw new PlainFailure(
        `PostgreSQL did not hand over the segment ${segment} within a minute. Read its log in ${join(postgres.directory, 'log')}, and check that the disk has space.`,
      );
    await sleep(POLL_MS);
  }
}

async function transferSegments(root: string, repository: Repository): Promise<void> {
  const directory = archiveDirectory(root);
  const names = (await readdir(directory)).sort();
  for (const name of names) {
    if (isSegment(name)) await transfer(join(directory, name), name, repository);
    else if (name.endsWith('.backup')) await rm(join(directory, name), { force: true });
  }
}

/** Another process may ship at the same time: both store the same content, and one finds the file gone. */
async function transfer(from: string, segment: string, repository: Repository): Promise<void> {
  const name = logName(segment);
  try {
    const path = join(repository.directory, name);
    await storeSealed(repository, { path, name }, createReadStream(from));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync(from)) return;
    throw error;
  }
  await rm(from, { force: true });
}

/** Reads how far the log reaches; undefined before the first segment. */
export async function readLogState(repository: Repository): Promise<LogState | undefined> {
  if (!existsSync(join(repository.directory, LOG_STATE))) return undefined;
  return readJson<LogState>(repository, LOG_STATE);
}
