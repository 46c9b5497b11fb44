import { isHeld, takeLock } from '../supervisor/lock.ts';
import { type Postgres, startPostgres } from './start-postgres.ts';

/**
 * Runs `work` with the embedded PostgreSQL of a data directory, whether Florin is running or not. A running Florin
 * holds the lock: PostgreSQL then belongs to it, and only that Florin may stop PostgreSQL.
 */
export async function usePostgres<T>(
  dataDir: string,
  work: (postgres: Postgres) => Promise<T>,
): Promise<T> {
  using lock = isHeld(dataDir) ? undefined : await takeLock(dataDir);
  const postgres = await startPostgres({ dataDir });
  try {
    return await work(postgres);
  } finally {
    if (lock && !postgres.attached) await postgres.stop();
  }
}
