import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { waitUntil } from '../kernel/poll.ts';
import { makeSocketDirectory } from '../kernel/socket-directory.ts';
import { databaseAccount, run } from './account.ts';
import { findBinaries } from './binaries.ts';
import { type Cluster, ensureCluster, transferOwnership, writeSettings } from './cluster.ts';
import { chooseLocation, type DatabaseLocation, reachableBinaries } from './database-location.ts';
import { type DatabaseRole, ensurePasswords, type Passwords } from './passwords.ts';
import { isIdle, livePostmaster, measureIdle, removeNoteFromBeforeBoot } from './postmaster.ts';
import { refuseUnfinished } from './refuse-unfinished.ts';
import { POSTGRES_PORT, type PostgresSettings, type Recovery } from './settings.ts';

export interface PostgresOptions {
  readonly dataDir: string;
  /** `bin` directory of a PostgreSQL other than the installed one. */
  readonly binDir?: string;
  /** Whether data must survive a crash of the machine. Default: true. */
  readonly durable?: boolean;
  /** Recovers a restored cluster during the start. */
  readonly recovery?: Recovery | undefined;
}

/** A PostgreSQL that takes connections. Another process may have started it. */
export interface RunningPostgres {
  /** The cluster's directory: inside the data directory, or outside if the database user may not enter it. */
  readonly directory: string;
  /** Directory of the cluster and of what PostgreSQL writes beside it. */
  readonly root: string;
  readonly passwords: Passwords;
  isAlive(): boolean;
  /** Whether the running server neither serves, recovers nor stops, as between a crash and its recovery. */
  isIdle(): boolean;
  /** Returns a connection string, for the administrator by default. */
  url(database: string, role?: DatabaseRole): string;
}

/** A PostgreSQL that may be stopped. */
export interface Postgres extends RunningPostgres, AsyncDisposable {
  /** Whether a server of this directory was already running. */
  readonly attached: boolean;
  /** Closes connections, writes all data to disk and waits until the server has ended. */
  stop(): Promise<void>;
  /** Ends the server without writing its data; the next start recovers them from the log. */
  abort(): Promise<void>;
}

/** Time limit of a start. Long, because crash recovery may read the full write-ahead log. */
const START_LIMIT_S = 300;
/** Time limit of a recovery, which may read the log of weeks. */
const RECOVERY_LIMIT_S = 7 * 86_400;
const STOP_LIMIT_S = 60;
/**
 * Time after which an idle server is ended. After a second crash on a full disk, PostgreSQL 18 may run on for ever
 * without serving or recovering. Longer than the end of all processes after a crash.
 */
export const IDLE_LIMIT_MS = 15_000;
const LEFTOVERS_LIMIT_MS = 10_000;
const RETRY_PAUSE_MS = 200;
/** PostgreSQL's message while processes of a killed server still run. */
const LEFTOVERS = /shared memory block.*in use|lock file ".*" already exists/;

/**
 * Creates a data directory's cluster on first use and starts it, or attaches to its running server. Throws
 * `PlainFailure` if that fails.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { binDir, durable = true, recovery } = options;
  const dataDir = resolve(options.dataDir);
  refuseUnfinished(dataDir);
  const account = databaseAccount();
  const location = await chooseLocation(dataDir, account);
  const binaries = await reachableBinaries(await findBinaries(binDir), location, account);
  const cluster: Cluster = { ...location, dataDir, binaries, account };
  const passwords = await ensureCluster(cluster, durable);
  const attached = await attachOrStart(cluster, { durable, recovery });
  return createHandle(cluster, attached, passwords);
}

type StartMode = Pick<PostgresSettings, 'durable' | 'recovery'>;

async function attachOrStart(cluster: Cluster, mode: StartMode): Promise<boolean> {
  await removeNoteFromBeforeBoot(cluster.cluster);
  const deadline = performance.now() + LEFTOVERS_LIMIT_MS;
  for (;;) {
    if (await attach(cluster)) return true;
    const refusal = await start(cluster, mode);
    if (refusal === undefined) return false;
    if (!LEFTOVERS.test(refusal) || performance.now() > deadline) throw startFailure(refusal);
    await sleep(RETRY_PAUSE_MS);
  }
}

/**
 * Waits for the cluster's running server. True when it accepts connections; false if none runs or it ends meanwhile.
 * Ends a server that stays idle.
 */
async function attach(target: Cluster): Promise<boolean> {
  const { cluster } = target;
  const idle_ms = measureIdle(() => isIdle(cluster));
  const isDecided = () => livePostmaster(cluster)?.ready !== false && !isIdle(cluster);
  await waitUntil(() => idle_ms() > IDLE_LIMIT_MS || isDecided(), START_LIMIT_S * 1000);
  if (idle_ms() > IDLE_LIMIT_MS) await endServer(target, 'immediate');
  return livePostmaster(cluster)?.ready === true;
}

/** Starts the server; resolves with PostgreSQL's output if it refused. */
async function start(target: Cluster, mode: StartMode): Promise<string | undefined> {
  const { root, cluster, account } = target;
  const socket = `.s.PGSQL.${POSTGRES_PORT}.lock`;
  const socketDirectory = makeSocketDirectory(join(root, 'postgres-socket'), socket, account);
  await writeSettings(target, { socketDirectory, root, ...mode });
  const log = startLog(root);
  await writeFile(log, '', { mode: 0o600 });
  await transferOwnership(target, log);
  const { code, output } = await pgCtl(
    target,
    'start',
    `--timeout=${mode.recovery ? RECOVERY_LIMIT_S : START_LIMIT_S}`,
    `--log=${log}`,
  );
  // pg_ctl does not wait for the end of a recovery.
  if (code === 0 && mode.recovery) await waitForDecision(cluster, RECOVERY_LIMIT_S);
  return code === 0 && livePostmaster(cluster) ? undefined : output + (await readFile(log, 'utf8'));
}

/** Waits until the server takes connections, or has ended. */
async function waitForDecision(cluster: string, limit_s: number): Promise<void> {
  const isDecided = () => livePostmaster(cluster)?.ready !== false;
  await waitUntil(isDecided, limit_s * 1000);
}

function startFailure(output: string): PlainFailure {
  const reason = /FATAL: +(.*)/.exec(output)?.[1] ?? output.trim().split('\n').at(-1);
  return new PlainFailure(`PostgreSQL does not start: ${reason}`);
}

/** Log of the latest start, until the server writes to its own. */
export const startLog = (root: string): string => join(root, 'postgres-start.log');

function createHandle(cluster: Cluster, attached: boolean, passwords: Passwords): Postgres {
  const stop = () => endServer(cluster, 'fast');
  return {
    ...describeRunning(cluster, passwords),
    attached,
    stop,
    abort: () => endServer(cluster, 'immediate'),
    [Symbol.asyncDispose]: stop,
  };
}

/** Returns the PostgreSQL of a location if it takes connections. Starts none. */
export async function findRunning(
  location: DatabaseLocation,
  dataDir: string,
): Promise<RunningPostgres | undefined> {
  const { cluster } = location;
  if (!livePostmaster(cluster)?.ready || isIdle(cluster)) return undefined;
  return describeRunning(location, await ensurePasswords(dataDir));
}

function describeRunning(
  { root, cluster }: DatabaseLocation,
  passwords: Passwords,
): RunningPostgres {
  const socketDirectory = livePostmaster(cluster)?.socketDirectory ?? '';
  return {
    directory: cluster,
    root,
    passwords,
    isAlive: () => livePostmaster(cluster) !== undefined,
    isIdle: () => isIdle(cluster),
    url(database, role = 'postgres') {
      const parameters = `host=${encodeURIComponent(socketDirectory)}&port=${POSTGRES_PORT}`;
      return `postgresql://${role}:${passwords[role]}@localhost/${database}?${parameters}`;
    },
  };
}

async function endServer(target: Cluster, mode: 'fast' | 'immediate'): Promise<void> {
  if (!livePostmaster(target.cluster)) return;
  const { output } = await pgCtl(target, 'stop', `--mode=${mode}`, `--timeout=${STOP_LIMIT_S}`);
  if (livePostmaster(target.cluster)) {
    throw new PlainFailure(`PostgreSQL does not stop: ${output.trim().split('\n').at(-1)}`);
  }
}

const pgCtl = (target: Cluster, verb: 'start' | 'stop', ...args: string[]) =>
  run(target.account, join(target.binaries.home, 'bin', 'pg_ctl'), [
    verb,
    '--wait',
    `--pgdata=${target.cluster}`,
    ...args,
  ]);
