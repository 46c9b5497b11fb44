import { setTimeout as sleep } from 'node:timers/promises';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { isDiskFull } from '../supervisor/disk-full.ts';
import { isHeld, takeLock } from '../supervisor/lock.ts';
import { databaseAccount } from './account.ts';
import { chooseLocation, type DatabaseLocation } from './database-location.ts';
import { livePostmaster } from './postmaster.ts';
import { refuseUnfinished } from './refuse-unfinished.ts';
import { findRunning, type RunningPostgres, startLog, startPostgres } from './start-postgres.ts';

/** Time for the PostgreSQL of a running Florin to take connections, such as after a crash. */
const RUNNING_LIMIT_MS = 30_000;
const POLL_MS = 200;

/**
 * Runs `work` with the embedded PostgreSQL of a data directory, whether Florin is running or not. A running Florin
 * holds the lock: only that Florin starts and stops PostgreSQL, and this waits for it up to `limit_ms`.
 */
export async function usePostgres<T>(
  dataDir: string,
  work: (postgres: RunningPostgres) => Promise<T>,
  limit_ms = RUNNING_LIMIT_MS,
): Promise<T> {
  refuseUnfinished(dataDir);
  const running = isHeld(dataDir) ? await waitForRunning(dataDir, limit_ms) : undefined;
  return running ? work(running) : useOwn(dataDir, work);
}

async function useOwn<T>(
  dataDir: string,
  work: (postgres: RunningPostgres) => Promise<T>,
): Promise<T> {
  using _lock = await takeLock(dataDir);
  const postgres = await startPostgres({ dataDir });
  try {
    return await work(postgres);
  } finally {
    if (!postgres.attached) await postgres.stop();
  }
}

/** Waits for the PostgreSQL of the Florin that holds the lock. Undefined once that Florin has ended. */
async function waitForRunning(
  dataDir: string,
  limit_ms: number,
): Promise<RunningPostgres | undefined> {
  const location = await chooseLocation(dataDir, databaseAccount());
  const deadline = performance.now() + limit_ms;
  while (isHeld(dataDir)) {
    const running = await findRunning(location, dataDir);
    if (running) return running;
    if (performance.now() > deadline) throw databaseAway(location, limit_ms);
    await sleep(POLL_MS);
  }
  return undefined;
}

function databaseAway({ root, cluster }: DatabaseLocation, limit_ms: number): PlainFailure {
  return new PlainFailure(
    `PostgreSQL of the running Florin took no connections for ${limit_ms / 1000} s. ${adviceOn(root, cluster)}`,
  );
}

function adviceOn(root: string, cluster: string): string {
  if (isDiskFull([root, cluster]))
    return `The disk of ${root} is full: free some space, and Florin starts it again.`;
  if (livePostmaster(cluster))
    return 'PostgreSQL is starting or stopping. Run the command again later.';
  return `Read the messages of that Florin, and ${startLog(root)}.`;
}
