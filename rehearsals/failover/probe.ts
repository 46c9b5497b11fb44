import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@florin/cli/database/client.ts';
import { codeOf, READ_ONLY } from '@florin/contract/database/fault.ts';
import pg from 'pg';
import type { HighAvailability } from './database.ts';

const EVERY_MS = 200;
const CONNECT_LIMIT_MS = 1_000;
const WRITE_LIMIT_MS = 1_000;

/** Writes to all machines without Florin. Shows which part of an outage is the database's. */
export interface Probe extends AsyncDisposable {
  /** Times of successful writes, of `performance.now()`. */
  readonly times: readonly number[];
}

export async function startProbe({ url, machines }: HighAvailability): Promise<Probe> {
  await withClient(url, (client) => client.query('create table if not exists probe ()'));
  const times: number[] = [];
  let isOver = false;
  const urls = machines.map(({ postgresPort }) =>
    Object.assign(new URL(url), { port: String(postgresPort) }),
  );
  const watching = urls.map(async ({ href }) => {
    let client: pg.Client | undefined;
    while (!isOver) {
      client ??= await connect(href);
      const outcome = await write(client);
      if (outcome === 'written') times.push(performance.now());
      if (outcome === 'failed') client = leave(client);
      await sleep(EVERY_MS);
    }
    leave(client);
  });
  return {
    times,
    async [Symbol.asyncDispose]() {
      isOver = true;
      await Promise.all(watching);
    },
  };
}

async function connect(connectionString: string): Promise<pg.Client | undefined> {
  const limits = { connectionTimeoutMillis: CONNECT_LIMIT_MS, query_timeout: WRITE_LIMIT_MS };
  const client = new pg.Client({ connectionString, ...limits });
  client.on('error', () => {});
  return client.connect().then(
    () => client,
    () => leave(client),
  );
}

async function write(client?: pg.Client): Promise<'written' | 'standby' | 'failed'> {
  if (!client) return 'failed';
  return client.query('insert into probe default values').then(
    () => 'written',
    (error: unknown) => (codeOf(error) === READ_ONLY ? 'standby' : 'failed'),
  );
}

/** Does not wait for a server that may be frozen. */
function leave(client?: pg.Client): undefined {
  client?.end().catch(() => {});
}
