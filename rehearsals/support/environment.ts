import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { type Postgres, startPostgres } from '@florin/cli/postgres/start-postgres.ts';

export interface Environment extends AsyncDisposable {
  /** Directory with a short path: paths of sockets have a limit. */
  readonly directory: string;
  readonly postgres: Postgres;
}

/**
 * Starts PostgreSQL in a new directory. Disposal stops it and removes the directory. `binDirIn` may return the `bin`
 * directory of another PostgreSQL.
 */
export async function openEnvironment(
  binDirIn?: (directory: string) => Promise<string>,
): Promise<Environment> {
  const directory = await makeDirectory();
  const binDir = await binDirIn?.(directory);
  const postgres = await startPostgres({ dataDir: directory, ...(binDir && { binDir }) });
  const dispose = async (): Promise<void> => {
    await postgres.stop();
    removeDirectory(directory);
  };
  disposeOnSignal(dispose);
  return { directory, postgres, [Symbol.asyncDispose]: dispose };
}

/** Makes a directory whose path is short, because paths of sockets have a limit. */
export const makeDirectory = (): Promise<string> => mkdtemp('/tmp/florin-r-');

export const removeDirectory = (directory: string): void =>
  rmSync(directory, { recursive: true, force: true, maxRetries: 10 });

/** Cleans up before Ctrl-C or SIGTERM ends the process. */
export function disposeOnSignal(dispose: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => dispose().finally(() => process.exit(130)));
}
