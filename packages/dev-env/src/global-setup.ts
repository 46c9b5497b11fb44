import { rmSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@florin/cli/postgres/start-postgres.ts';
import { givenPostgresUrl, publishPostgresUrl, publishTemporary } from './config/env.ts';
import { makeDatabasesDirectory } from './databases-directory.ts';

/** Processes killed by a test may still be writing. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5 };

declare module 'vitest' {
  interface ProvidedContext {
    /** Seed of all property tests of the run. */
    seed: number;
  }
}

/** Starts the one PostgreSQL of a test run and removes it with everything its tests left. */
export async function setup(): Promise<() => Promise<void>> {
  await using cleanup = new AsyncDisposableStack();
  // Short, because socket paths have a length limit.
  const directory = await mkdtemp(join(tmpdir(), 'florin-'));
  cleanup.defer(() => rm(directory, REMOVAL));
  // PostgreSQL's user must traverse it to reach its cluster.
  await chmod(directory, 0o711);
  publishTemporary(directory);
  if (!givenPostgresUrl()) cleanup.use(await startDatabases());
  const running = cleanup.move();
  return () => running.disposeAsync();
}

/** Starts the run's PostgreSQL and tells the workers its address. An aborted run stops it as well. */
async function startDatabases(): Promise<AsyncDisposable> {
  await using cleanup = new AsyncDisposableStack();
  const directory = await makeDatabasesDirectory();
  const remove = (): void => rmSync(directory, REMOVAL);
  cleanup.defer(remove);
  // PostgreSQL stops automatically once its directory is deleted.
  process.once('exit', remove);
  cleanup.defer(() => void process.off('exit', remove));
  await chmod(directory, 0o711);
  const postgres = await startPostgres({ dataDir: join(directory, 'data'), durable: false });
  cleanup.use(postgres);
  publishPostgresUrl(postgres.url('postgres'));
  return cleanup.move();
}
