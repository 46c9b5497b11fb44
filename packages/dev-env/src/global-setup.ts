import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@florin/cli/postgres/start-postgres.ts';
import { givenPostgresUrl, publishPostgresUrl } from './config/env.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What every property of the run is drawn from. */
    seed: number;
  }
}

/** Starts the one PostgreSQL of a test run, which forgets everything with its directory. */
export async function setup(): Promise<() => Promise<void>> {
  if (givenPostgresUrl()) return async () => {};
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-test-'));
  const postgres = await startPostgres({ dataDir, durable: false });
  publishPostgresUrl(postgres.url('postgres'));
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
