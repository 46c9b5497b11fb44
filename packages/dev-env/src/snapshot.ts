import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@florin/cli/database/client.ts';

const COPIES_MAX = 20;
const COPY_WAIT_MS = 100;
const OBJECT_IN_USE = '55006';

/** A copy of a database at one moment, as a restore to that moment makes it. */
export interface Snapshot {
  /** The moment before which everything is in the copy. */
  readonly taken_at: Date;
  /** Replaces the database by the copy. Nothing may be connected. */
  restore(): Promise<void>;
}

/**
 * Copies a database while it is used: its connections end, as in a crash, and the copy has what was committed. The clock
 * tells the time of the copy.
 */
export async function takeSnapshot(admin_url: string, now: () => Date): Promise<Snapshot> {
  const name = new URL(admin_url).pathname.slice(1);
  const copy = `${name}_copy`;
  const server = new URL(admin_url);
  server.pathname = '/postgres';
  const run = (...statements: string[]): Promise<void> =>
    withClient(server.href, async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  let taken_at = now();
  await withClient(server.href, async (client) => {
    await client.query(`alter database ${name} with allow_connections false`);
    try {
      for (let copies = 1; ; copies++) {
        await client.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
          [name],
        );
        taken_at = now();
        const error = await client
          .query(`create database ${copy} template ${name} strategy file_copy owner florin_owner`)
          .then(
            () => undefined,
            (cause: Error) => cause,
          );
        if (!error) break;
        if ((error as { code?: string }).code !== OBJECT_IN_USE || copies === COPIES_MAX)
          throw error;
        await sleep(COPY_WAIT_MS);
      }
    } finally {
      await client.query(`alter database ${name} with allow_connections true`);
    }
  });
  return {
    taken_at,
    restore: () =>
      run(`drop database ${name} with (force)`, `alter database ${copy} rename to ${name}`),
  };
}
