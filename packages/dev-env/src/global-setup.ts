import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@florin/cli/postgres/start-postgres.ts';
import { givenPostgresUrl, publishPostgresUrl, publishTemporary } from './config/env.ts';

/** Processes that a test has killed may still be writing. */
const REMOVE_TRIES = 5;

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
  cleanup.defer(() => rm(directory, { recursive: true, force: true, maxRetries: REMOVE_TRIES }));
  // PostgreSQL's user reaches its cluster through it.
  await chmod(directory, 0o711);
  publishTemporary(directory);
  if (!givenPostgresUrl()) {
    const postgres = await startPostgres({ dataDir: join(directory, 'data'), durable: false });
    cleanup.defer(() => postgres.stop());
    publishPostgresUrl(postgres.url('postgres'));
  }
  const running = cleanup.move();
  return () => running.disposeAsync();
}
