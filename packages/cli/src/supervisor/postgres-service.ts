import { setTimeout as sleep } from 'node:timers/promises';
import { describeFailure } from '../kernel/plain-failure.ts';
import { measureIdle } from '../postgres/postmaster.ts';
import { IDLE_LIMIT_MS, type Postgres } from '../postgres/start-postgres.ts';
import type { Service, ServiceRun } from './slot.ts';

const WATCH_MS = 1_000;

interface PostgresServiceOptions {
  readonly start: () => Promise<Postgres>;
  readonly print: (sentence: string) => void;
  /** Time after which an idle server is ended. */
  readonly idle_limit_ms?: number;
}

/** PostgreSQL as a service. Ends a server that stays idle, so that it is started again. */
export const postgresService = (options: PostgresServiceOptions): Service => ({
  title: 'PostgreSQL',
  start: () => runPostgres(options),
});

function runPostgres(options: PostgresServiceOptions): ServiceRun {
  const starting = options.start();
  return {
    ready: starting.then(() => ({ type: 'ready' })),
    exited: watch(starting, options),
    stop: () =>
      starting.then(
        (postgres) => postgres.stop(),
        () => {},
      ),
  };
}

/** Resolves when the server has ended. The postmaster is not a child process, so its end is polled. */
async function watch(
  starting: Promise<Postgres>,
  { print, idle_limit_ms = IDLE_LIMIT_MS }: PostgresServiceOptions,
): Promise<void> {
  const postgres = await starting.catch(() => undefined);
  const idle_ms = measureIdle(() => postgres?.isIdle() ?? false);
  while (postgres?.isAlive()) {
    if (idle_ms() > idle_limit_ms) {
      print(idleMessage(idle_limit_ms));
      await postgres.abort().catch((error: unknown) => print(describeFailure(error)));
    }
    await sleep(WATCH_MS, undefined, { ref: false });
  }
}

const idleMessage = (limit_ms: number): string =>
  `PostgreSQL runs, but has neither served nor recovered for ${limit_ms / 1_000} seconds; ending it.`;
