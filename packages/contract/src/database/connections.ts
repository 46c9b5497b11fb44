import { databaseFaultOf, isConnectionError, SilenceError } from './fault.ts';

/** A connection of a pool. Released with an error or `true`, the pool closes it. */
export interface Client {
  release(end?: Error | boolean): void;
}

/** The connections of a pool. Those on which nothing answers are closed, never given back. */
export interface Connections<C extends Client> {
  acquire(): Promise<C>;
  /** Waits for the answer to a statement. Fails after `limit_ms`, which defaults to that of the pool. */
  ask<T>(client: C, send: () => Promise<T>, limit_ms?: number): Promise<T>;
  /** Closes the connection where the statement on it failed, or where `end` says so. */
  release(client: C, end: Error | boolean): void;
}

/** Hears how each use of a connection ended. */
export interface Listener {
  answered(): void;
  failed(error: unknown): void;
}

/** The machine's time. */
export interface Timing {
  readonly monotonic_ms: () => number;
  /** Calls `late` after `ms` and after sockets were read once more. Returns a function that calls it off. */
  after(ms: number, late: () => void): () => void;
}

export interface ConnectionsOptions extends Partial<Listener> {
  readonly timing: Timing;
  /** Longest that an answer takes. */
  readonly limit_ms: number;
}

/** Probes by the database. Without them it keeps a backend for each idle connection that a network dropped. */
export const KEEP_ALIVES =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';

/**
 * Where a statement gets no answer, a network may have dropped all connections: an idle one that has answered nothing
 * since that statement was sent is closed instead of handed out.
 */
export function connectionsOf<C extends Client>(
  pool: { connect(): Promise<C> },
  { timing, limit_ms, answered = () => {}, failed = () => {} }: ConnectionsOptions,
): Connections<C> {
  const { monotonic_ms } = timing;
  /** When the last statement was sent that got no answer. */
  let silentSince = Number.NEGATIVE_INFINITY;
  /** When each connection last answered. */
  const heard = new WeakMap<C, number>();
  const connect = async (): Promise<C> => {
    try {
      return await pool.connect();
    } catch (error) {
      failed(error);
      throw error;
    }
  };
  return {
    async acquire() {
      for (;;) {
        const client = await connect();
        if (!heard.has(client)) heard.set(client, monotonic_ms());
        if ((heard.get(client) ?? 0) >= silentSince) return client;
        client.release(true);
      }
    },
    async ask(client, send, limit = limit_ms) {
      const sent = monotonic_ms();
      try {
        const answer = await inTime(timing, send(), limit);
        heard.set(client, monotonic_ms());
        return answer;
      } catch (error) {
        if (databaseFaultOf(error) === 'silent') silentSince = Math.max(silentSince, sent);
        throw error;
      }
    },
    release(client, end) {
      if (end instanceof Error) failed(end);
      else answered();
      client.release(end);
    },
  };
}

async function inTime<T>({ after }: Timing, asked: Promise<T>, limit_ms: number): Promise<T> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const callOff = after(limit_ms, () => reject(new SilenceError(limit_ms)));
  try {
    return await Promise.race([asked, silence]);
  } finally {
    callOff();
  }
}

/** How many connections a statement is sent on that changes nothing. */
export const READ_TRIES = 2;

/** Acquires a connection and sends its first statement; on `tries` connections at most, where each of them fails. */
export async function firstOn<C extends Client, T>(
  connections: Connections<C>,
  ask: (client: C) => Promise<T>,
  tries: number,
): Promise<{ readonly client: C; readonly answer: T }> {
  const client = await connections.acquire();
  try {
    return { client, answer: await ask(client) };
  } catch (error) {
    connections.release(client, error as Error);
    if (tries <= 1 || !isConnectionError(error)) throw error;
    return firstOn(connections, ask, tries - 1);
  }
}
