import { setTimeout as sleep } from 'node:timers/promises';
import type { Postgres } from '../postgres/start-postgres.ts';
import type { Service, ServiceRun } from './slot.ts';

const WATCH_MS = 1_000;

/** PostgreSQL as a service. The postmaster is not a child process, so its end is polled. */
export function postgresService(start: () => Promise<Postgres>): Service {
  return { title: 'PostgreSQL', start: () => runPostgres(start()) };
}

function runPostgres(starting: Promise<Postgres>): ServiceRun {
  return {
    ready: starting.then(() => ({ type: 'ready' })),
    exited: watch(starting),
    stop: () =>
      starting.then(
        (postgres) => postgres.stop(),
        () => {},
      ),
  };
}

async function watch(starting: Promise<Postgres>): Promise<void> {
  const postgres = await starting.catch(() => undefined);
  while (postgres?.isAlive()) await sleep(WATCH_MS, undefined, { ref: false });
}
