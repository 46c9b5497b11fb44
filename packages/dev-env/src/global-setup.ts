import { rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '@florin/cli/postgres/start-postgres.ts';
import { givenPostgresUrl, publishPostgresUrl, publishTemporary } from './config/env.ts';
import { makeRunDirectory } from './run-directory.ts';

/** Retries, because processes that a test killed may still be writing. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5 };

declare module 'vitest' {
  interface ProvidedContext {
    /** Seed of all property tests of the run. */
    seed: number;
  }
}

/**
 * Starts the PostgreSQL of a test run. The returned function removes it, with all files of the tests; an aborted run
 * does the same.
 */
export async function setup(): Promise<() => Promise<void>> {
  await using cleanup = new AsyncDisposableStack();
  // The path is short, because socket paths have a length limit.
  const directory = await makeRunDirectory();
  const remove = (): void => rmSync(directory, REMOVAL);
  cleanup.defer(remove);
  process.once('exit', remove);
  cleanup.defer(() => void process.off('exit', remove));
  // PostgreSQL's user must traverse the directory to reach its cluster.
  await chmod(directory, 0o711);
  publishTemporary(directory);
  if (!givenPostgresUrl()) cleanup.use(await startDatabases(directory));
  const running = cleanup.move();
  return () => running.disposeAsync();
}

/** Starts the run's PostgreSQL and passes its URL to the workers. PostgreSQL stops when its directory is deleted. */
async function startDatabases(directory: string): Promise<AsyncDisposable> {
  const postgres = await startPostgres({ dataDir: join(directory, 'data'), durable: false });
  publishPostgresUrl(postgres.url('postgres'));
  return postgres;
}
