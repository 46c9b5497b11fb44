import { rmSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@florin/cli/postgres/start-postgres.ts';
import { givenPostgresUrl, publishPostgresUrl, publishTemporary } from './config/env.ts';
import { makeDatabasesDirectory } from './databases-directory.ts';

/** Processes that a test has killed may still be writing. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5 };

declare module 'vitest' {
  interface ProvidedContext {
    /** What every property of the run is drawn from. */
    seed: number;
  }
}

/** Starts the one PostgreSQL of a test run, and removes with it whatever its tests leave behind. */
export async function setup(): Promise<() => Promise<void>> {
  await using cleanup = new AsyncDisposableStack();
  // Short, as the paths of sockets are limited.
  const directory = await mkdtemp(join(tmpdir(), 'florin-'));
  cleanup.defer(() => rm(directory, REMOVAL));
  // PostgreSQL's user reaches its cluster through it.
  await chmod(directory, 0o711);
  publishTemporary(directory);
  if (!givenPostgresUrl()) cleanup.use(await startDatabases());
  const running = cleanup.move();
  return () => running.disposeAsync();
}

/** Starts the PostgreSQL of the run and tells the workers of it; in a run that is broken off it ends as well. */
async function startDatabases(): Promise<AsyncDisposable> {
  await using cleanup = new AsyncDisposableStack();
  const directory = await makeDatabasesDirectory();
  const remove = (): void => rmSync(directory, REMOVAL);
  cleanup.defer(remove);
  // PostgreSQL ends by itself once its directory is gone.
  process.once('exit', remove);
  cleanup.defer(() => void process.off('exit', remove));
  await chmod(directory, 0o711);
  const postgres = await startPostgres({ dataDir: join(directory, 'data'), durable: false });
  cleanup.use(postgres);
  publishPostgresUrl(postgres.url('postgres'));
  return cleanup.move();
}
