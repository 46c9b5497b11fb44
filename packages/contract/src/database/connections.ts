import { databaseFaultOf, isConnectionError, SilenceError } from './fault.ts';

/** A pooled connection. The pool closes it when it is released with an error or `true`. */
export interface Client {
  release(end?: Error | boolean): void;
}

/**
 * Connections of a pool. A connection without a response is closed and never returned to the pool.
 */
export interface Connections<C extends Client> {
  acquire(): Promise<C>;
  /**
   * Waits for the response to a statement. Throws after `limit_ms`, by default the pool's limit.
   */
  execute<T>(client: C, send: () => Promise<T>, limit_ms?: number): Promise<T>;
  /**
   * Returns a connection to the pool. Closes the connection if its statement failed or `end` is
   * set.
   */
  release(client: C, end: Error | boolean): void;
}

/** Observes the end of each use of a connection. */
export interface Listener {
  onResponse(): void;
  onFailure(error: unknown): void;
  /** Called for each statement that the database refused for lack of space, also in transactions. */
  onDiskFull?(): void;
}

/** System clock and timers. */
export interface Timing {
  readonly monotonic_ms: () => number;
  /**
   * Calls `callback` after `ms`, but reads arrived responses first. Returns a function that cancels the
   * call.
   */
  callAfter(ms: number, callback: () => void): () => void;
}

export interface ConnectionsOptions<C> extends Partial<Listener> {
  readonly timing: Timing;
  /** Milliseconds to wait for a response. */
  readonly limit_ms: number;
  /** Called with the milliseconds that a caller waited for a connection. */
  readonly onWait?: (wait_ms: number) => void;
  /** Called with each connection that did not respond. */
  readonly onSilence?: (client: C) => void;
  /** Whether a connection must not be used any more. */
  readonly isOutdated?: (client: C) => boolean;
}

/**
 * PostgreSQL options: keepalive probes close the backends of idle connections that a network
 * dropped.
 */
export const KEEP_ALIVES =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';

/**
 * Wraps a pool for networks that drop connections silently. After a statement without a response,
 * an idle connection is closed instead of reused, unless it has responded since that statement.
 */
export function connectionsOf<C extends Client>(
  pool: { connect(): Promise<C> },
  {
    timing,
    limit_ms,
    onResponse: answered = () => {},
    onFailure: failed = () => {},
    onDiskFull = () => {},
    onWait,
    onSilence = () => {},
    isOutdated = () => false,
  }: ConnectionsOptions<C>,
): Connections<C> {
  const { monotonic_ms } = timing;
  /** Time at which the latest statement without a response was sent. */
  let silentSince = Number.NEGATIVE_INFINITY;
  /** Time of each connection's latest response. */
  const respondedAt = new WeakMap<C, number>();
  const connect = async (): Promise<C> => {
    const asked_at = onWait ? monotonic_ms() : 0;
    try {
      const client = await pool.connect();
      onWait?.(monotonic_ms() - asked_at);
      return client;
    } catch (error) {
      failed(error);
      throw error;
    }
  };
  return {
    async acquire() {
      for (;;) {
        const client = await connect();
        if (!respondedAt.has(client)) respondedAt.set(client, monotonic_ms());
        const respondedSince = (respondedAt.get(client) ?? 0) >= silentSince;
        if (respondedSince && !isOutdated(client)) return client;
        client.release(true);
      }
    },
    async execute(client, send, limit = limit_ms) {
      const sentAt = monotonic_ms();
      try {
        const answer = await withTimeout(timing, send(), limit);
        respondedAt.set(client, monotonic_ms());
        return answer;
      } catch (error) {
        const fault = databaseFaultOf(error);
        if (fault === 'disk_full') onDiskFull();
        if (fault === 'silent') {
          silentSince = Math.max(silentSince, sentAt);
          onSilence(client);
        }
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

async function withTimeout<T>(
  { callAfter: after }: Timing,
  response: Promise<T>,
  limit_ms: number,
): Promise<T> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const cancelTimer = after(limit_ms, () => reject(new SilenceError(limit_ms)));
  try {
    return await Promise.race([response, silence]);
  } finally {
    cancelTimer();
  }
}

/** Number of connections on which a read-only statement is tried. */
export const READ_TRIES = 2;

/**
 * Acquires a connection and sends its first statement. After an error, retries on another
 * connection, with `attemptsMax` connections in total.
 */
export async function firstOn<C extends Client, T>(
  connections: Connections<C>,
  query: (client: C) => Promise<T>,
  attemptsMax: number,
): Promise<{ readonly client: C; readonly result: T }> {
  const client = await connections.acquire();
  try {
    return { client, result: await query(client) };
  } catch (error) {
    connections.release(client, error as Error);
    if (attemptsMax <= 1 || !isConnectionError(error)) throw error;
    return firstOn(connections, query, attemptsMax - 1);
  }
}
