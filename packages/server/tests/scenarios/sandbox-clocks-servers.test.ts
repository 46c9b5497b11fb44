import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type StackAddresses, startServer } from '@florin/dev-env/parts.ts';
import { freePort } from '@florin/dev-env/start-processes.ts';
import { afterAll, expect, it } from 'vitest';
import { HOLD_SECONDS } from '../../src/features/payments/decide-outcome.ts';
import { useOwnStack } from '../support/api.ts';
import { type Client, createClient, type ResourceObject } from '../support/client.ts';
import { makeHook } from '../support/hooks.ts';
import { makeCustomer, makeHeld } from '../support/make.ts';
import {
  advance,
  arrived,
  DAY_SECONDS,
  daysAhead,
  makeClock,
  pass,
} from '../support/sandbox-clocks.ts';
import { startReceiver } from '../webhooks/receiver.ts';

const api = useOwnStack();
const HOLD_DAYS = HOLD_SECONDS / DAY_SECONDS;

const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

/** Addresses of the stack's parts, for another server. */
function wiring(port: number): StackAddresses {
  const {
    dataDir,
    vaultSocket: socketPath,
    simulatorUrl,
    databaseUrl,
    vaultDatabaseUrl,
  } = api.stack;
  return { port, dataDir, socketPath, simulatorUrl, databaseUrl, vaultDatabaseUrl };
}

/** A key of a new merchant. */
const newKey = async (): Promise<string> => (await api.books.makeMerchant()).key();

/** Holds that were created two days apart. */
async function makeHolds(client: Client, clock: ResourceObject): Promise<ResourceObject[]> {
  const first = await makeHeld(client);
  await pass(client, clock, 2 * DAY_SECONDS);
  return [first, await makeHeld(client)];
}

/** Day on which each hold lapsed. */
const lapsedOn = async (client: Client, holds: readonly ResourceObject[]): Promise<number[]> =>
  Promise.all(
    holds.map(async ({ type, id }) =>
      daysAhead((await client.fetch(type, id)).attributes.canceled_at),
    ),
  );

const start = async (port: number): Promise<ChildProcess> => {
  const script = join(import.meta.dirname, '../webhooks/server-process.ts');
  const life = { wiring: wiring(port), offset_seconds: 0 };
  const child = fork(script, [JSON.stringify(life)], { execArgv: [] });
  cleanup.defer(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
};

it('a clock whose process is killed during an advance continues in two others: they share one time, and each hold expires once', async () => {
  const key = await newKey();
  const client = api.as(key);
  const clock = await makeClock(client);
  const holds = await makeHolds(client, clock);
  await api.stack.stop('server');
  const port = await freePort();
  const child = await start(port);
  const gone = once(child, 'exit');
  // The second event of the first hold: it has lapsed.
  await using receiver = await startReceiver({
    '/hook': (nth) => {
      if (nth === 1) child.kill('SIGKILL');
      return 200;
    },
  });
  const there = createClient(`http://localhost:${port}`, key);
  const url = `${receiver.origin}/hook`;
  await makeHook(there, { url, events: ['transaction.payment_demands.updated'] });
  await advance(there, clock, { by_seconds: 30 * DAY_SECONDS });
  await gone;

  await api.stack.start('server');
  const { attributes } = await client.fetch('sandbox_clocks', clock.id);
  expect(attributes.status).toBe('advancing');
  const second = cleanup.use(await startServer(wiring(0)));
  const other = createClient(second.url, key);
  expect((await arrived(other, clock)).attributes.ahead_seconds).toBeGreaterThan(31 * DAY_SECONDS);
  for (const each of [client, other]) {
    expect(daysAhead((await makeCustomer(each)).attributes.created_at)).toBe(32);
  }
  expect(await lapsedOn(other, holds)).toEqual([HOLD_DAYS, HOLD_DAYS + 2]);
  const { body } = await client.get('/v2/events?filter[slug]=updated&page[size]=100');
  const canceled = body.data.filter(
    ({ attributes }: ResourceObject) => attributes.data.attributes.status === 'canceled',
  );
  expect(canceled).toHaveLength(holds.length);
});
