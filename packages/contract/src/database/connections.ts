import { databaseFaultOf, isConnectionError } from './fault.ts';

/** A connection of a pool. Released with an error or `true`, the pool closes it. */
interface Client {
  release(end?: Error | boolean): void;
}

/** The connections of a pool. Those on which nothing answers are closed, never given back. */
export interface Connections<C extends Client> {
  take(): Promise<C>;
  /** Gives one back; closed where the statement on it failed, or where `end` says so. */
  give(client: C, end: Error | boolean): void;
}

/** Hears how each use of a connection ended. */
export interface Listener {
  answered(): void;
  failed(error: unknown): void;
}

/**
 * Where one connection falls silent, a network may have dropped all: each idle one that has answered nothing since is
 * closed instead of handed out, so that only statements in flight have waited in vain.
 */
export function connectionsOf<C extends Client>(
  pool: { connect(): Promise<C> },
  listener: Listener,
): Connections<C> {
  let silences = 0;
  /** How many silences of others each connection has outlived. */
  const heard = new WeakMap<C, number>();
  return {
    async take() {
      for (;;) {
        const client = await connected(pool, listener);
        if ((heard.get(client) ?? silences) === silences) {
          heard.set(client, silences);
          return client;
        }
        client.release(true);
      }
    },
    give(client, end) {
      if (databaseFaultOf(end) === 'silent') silences += 1;
      if (end instanceof Error) listener.failed(end);
      else {
        heard.set(client, silences);
        listener.answered();
      }
      client.release(end);
    },
  };
}

async function connected<C>(pool: { connect(): Promise<C> }, listener: Listener): Promise<C> {
  try {
    return await pool.connect();
  } catch (error) {
    listener.failed(error);
    throw error;
  }
}

/** Failures of work that has changed nothing, whatever became of the statement. */
const harmless = new WeakSet<Error>();

/** Runs a statement of which a failure changes nothing, so that it may be repeated on another connection. */
export async function harmlessly<T>(ask: Promise<T>): Promise<T> {
  try {
    return await ask;
  } catch (error) {
    harmless.add(error as Error);
    throw error;
  }
}

/** Whether a connection failed before any change, or under a statement that only reads. */
export const isHarmlesslyLost = (error: unknown): boolean =>
  harmless.has(error as Error) && isConnectionError(error);

/** Whether a statement changes nothing. A word within a text or name counts as well: then it is not repeated. */
export const isRead = (sql: string): boolean =>
  /^\s*(?:select|with)\b/i.test(sql) && !/\b(?:insert|update|delete|merge)\b/i.test(sql);
