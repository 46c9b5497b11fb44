import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../logger.ts';
import { channelOf } from './wake-publisher.ts';

/** Wait before another connection is tried. Until then the loops poll. */
const RETRY_MS = 1_000;
/** Longest time from the connection to the answer of LISTEN. */
const START_MS = 10_000;
/** Interval of the question whether the connection still answers, and the longest wait for the answer. */
const PING_MS = 10_000;
const ANSWER_MS = 5_000;

export interface WakeListenerOptions {
  /** Opens no connection: the caller's class knows hosts and TLS. */
  readonly createClient: () => pg.Client;
  readonly loops: readonly string[];
  /** Schema of the server's tables. */
  readonly schema: string;
  readonly logger: Logger;
  /** Wakes a loop of this process. */
  readonly onWake: (loop: string) => void;
}

export interface WakeListener extends AsyncDisposable {
  /** Whether wakes of other processes arrive. Otherwise their work waits for a poll. */
  isListening(): boolean;
}

/** Thrown where a pooler shares the connection, so that notifications would reach another client or nobody. */
class SharedConnection extends Error {
  override name = 'SharedConnection';
}

/** Listens for wakes over one connection, which is replaced when it breaks. */
export function startWakeListener(options: WakeListenerOptions): WakeListener {
  const { logger, loops, onWake, schema } = options;
  const loopOf = new Map(loops.map((loop) => [channelOf(loop, schema), loop]));
  const stopController = new AbortController();
  const { signal } = stopController;
  let isListening = false;
  let hasReported = false;

  async function listen(): Promise<void> {
    const client = options.createClient();
    const { promise: aborted, resolve: stop } = Promise.withResolvers<void>();
    const { promise: broken, resolve: fail } = Promise.withResolvers<void>();
    signal.addEventListener('abort', stop as () => void);
    client.on('end', fail);
    client.on('error', () => fail());
    client.on('notification', ({ channel }) => {
      const loop = loopOf.get(channel);
      if (loop) onWake(loop);
    });
    try {
      await Promise.race([subscribe(client, [...loopOf.keys()]), failLate(), aborted]);
      if (signal.aborted) return;
      isListening = true;
      hasReported = false;
      // Wakes may have been missed before.
      loops.forEach(onWake);
      await Promise.race([broken, aborted, pingUntilSilent(client, signal)]);
    } finally {
      signal.removeEventListener('abort', stop as () => void);
      isListening = false;
      await close(client);
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await listen();
      } catch (error) {
        const { message } = error as Error;
        if (!hasReported) logger.warn({ err: { message } }, 'not listening for work: loops poll');
        hasReported = true;
        if (error instanceof SharedConnection) return;
      }
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }

  const runPromise = run();
  return {
    isListening: () => isListening,
    async [Symbol.asyncDispose]() {
      stopController.abort();
      await runPromise;
    },
  };
}

async function subscribe(client: pg.Client, channels: readonly string[]): Promise<void> {
  await client.connect();
  await requireOwnBackend(client);
  await client.query(channels.map((channel) => `listen ${channel}`).join('; '));
}

/** Rejects after the time in which a database answers. A database that froze after the login never does. */
async function failLate(): Promise<never> {
  await sleep(START_MS, undefined, { ref: false });
  throw new Error(`the database did not answer within ${START_MS} ms`);
}

/** Throws `SharedConnection` if the server process is not the one that greeted this client. */
async function requireOwnBackend(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  // The types of pg lack it.
  const { processID } = client as unknown as { processID: number | null };
  if (rows[0]?.pid === processID) return;
  throw new SharedConnection(
    'a pooler shares the connection: set FLORIN_LISTEN_DATABASE_URL to PostgreSQL itself',
  );
}

/** Returns when the connection has not answered in time, or the listener stops. */
async function pingUntilSilent(client: pg.Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(PING_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const answer = client.query('select').then(() => true);
    const isAlive = await Promise.race([answer, sleep(ANSWER_MS, false)]).catch(() => false);
    if (!isAlive) return;
  }
}

/** Closes without waiting for a server that may be gone. */
const close = (client: pg.Client): Promise<unknown> =>
  Promise.race([client.end().catch(() => {}), sleep(RETRY_MS)]);
