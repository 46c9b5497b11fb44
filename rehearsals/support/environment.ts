import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { type Postgres, startPostgres } from '@florin/cli/postgres/start-postgres.ts';

export interface Environment extends AsyncDisposable {
  /** Directory with a short path: paths of sockets have a limit. */
  readonly directory: string;
  readonly postgres: Postgres;
}

/** Starts PostgreSQL in a new directory. Disposal stops it and removes the directory. */
export async function openEnvironment(): Promise<Environment> {
  const directory = await mkdtemp('/tmp/florin-r-');
  const postgres = await startPostgres({ dataDir: directory });
  const dispose = async (): Promise<void> => {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => dispose().finally(() => process.exit(130)));
  return { directory, postgres, [Symbol.asyncDispose]: dispose };
}
