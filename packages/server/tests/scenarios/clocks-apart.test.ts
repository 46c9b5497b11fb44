import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { withClient } from '@florin/cli/database/client.ts';
import { type StackAddresses, startServer } from '@florin/dev-env/parts.ts';
import { freePort } from '@florin/dev-env/start-processes.ts';
import { seconds } from '@florin/server/platform/time/clock.ts';
import { afterAll, expect, it } from 'vitest';
import { HOLD_SECONDS } from '../../src/features/payments/decide-outcome.ts';
import { useOwnStack } from '../support/api.ts';
import { type Client, createClient, type ResourceObject } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { makeHook } from '../support/hooks.ts';
import {
  eventually,
  makeAuthorisedPayment,
  makeCustomer,
  makeDemand,
  makeParties,
  waitForOutcome,
} from '../support/make.ts';
import {
  advance,
  advanceAndWait,
  DAY_SECONDS,
  daysUntil,
  makeClock,
  waitForAdvance,
} from '../support/sandbox-clocks.ts';
import { startReceiver } from '../webhooks/receiver.ts';

/** The last four digits make the network disconnect before it reads a message. */
const NEVER_ARRIVES_CENTS = 19_702;

const clock = createClockAhead();
/** Lag of other clocks behind the server's, in seconds. */
const behind = { vault: 0, database: 0 };
const api = useOwnStack({
  config: { clock },
  vaultClock: () => (clock.now() - seconds(behind.vault)) / 1_000,
  databaseTime: async () => clock.now() - seconds(behind.database),
});

/** Notes of `/readyz` and the gauges, once there is this number of notes. */
async function untilNotes(count: number) {
  const { notes } = await eventually(
    async () => {
      const answer = await fetch(`${api.stack.baseUrl}/readyz`);
      const { notes = [] } = (await answer.json()) as { notes?: string[] };
      expect(answer.status).toBe(200);
      return { notes };
    },
    ({ notes: { length } }) => length === count,
    { max_wait_ms: 30_000, pause_ms: 100 },
  );
  const metrics = await (await fetch(`${api.stack.baseUrl}/metrics`)).text();
  const gauges = metrics.matchAll(/^florin_clock_ahead_seconds\{clock="(\w+)"\} (\S+)$/gm);
  const ahead = Object.fromEntries(
    [...gauges].map(([, name, by]) => [name, Math.round(Number(by))]),
  );
  return { notes: notes.toSorted(), ahead };
}

const inquiriesOf = (id: string): Promise<number> =>
  withClient(api.stack.databaseUrl, async (database) => {
    const sql = 'select inquiries from attempts where payment_demand_id = $1';
    return (await database.query(sql, [id])).rows[0]?.inquiries;
  });

/** Lets time pass until this many inquiries were sent. */
const untilAsked = (id: string, times: number) =>
  eventually(
    () => {
      clock.advance(1);
      return inquiriesOf(id);
    },
    (count) => count >= times,
    { max_wait_ms: 30_000, pause_ms: 100 },
  );

it("while other clocks differ from the server's, no message counts as never sent, and readyz and the metrics report it", async () => {
  expect(await untilNotes(0)).toEqual({ notes: [], ahead: { vault: 0, database: 0 } });
  Object.assign(behind, { vault: 40, database: 50 });
  expect(await untilNotes(2)).toEqual({
    notes: ['database', 'vault'].map((other) =>
      expect.stringMatching(`^The clock of the ${other} is .* s behind this server's`),
    ),
    ahead: { vault: -40, database: -50 },
  });
  const attributes = { confirmed: true, amount_cents: NEVER_ARRIVES_CENTS };
  const { id } = await makeDemand(api.client, attributes, await makeParties(api.client));
  await untilAsked(id, 1);
  clock.advance(120);
  await untilAsked(id, 2);
  const open = await api.client.fetch('payment_demands', id);
  expect([open.attributes.status, open.meta?.outcome]).toEqual(['processing', 'unknown']);

  Object.assign(behind, { vault: 0, database: 0 });
  await untilNotes(0);
  clock.advance(120);
  expect((await waitForOutcome(api.client, id)).attributes).toMatchObject({
    status: 'failed',
    failure_reason: 'processor_unreachable',
  });
});

const HOLD_DAYS = HOLD_SECONDS / DAY_SECONDS;

const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

/** Addresses of the stack's parts, for another server. */
function addressesOf(port: number): StackAddresses {
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
const newKey = async (): Promise<string> => (await api.fixtures.makeMerchant()).makeKey();

/** Holds that were created two days apart. */
async function makeHolds(client: Client, clock: ResourceObject): Promise<ResourceObject[]> {
  const first = await makeAuthorisedPayment(client);
  await advanceAndWait(client, clock, 2 * DAY_SECONDS);
  return [first, await makeAuthorisedPayment(client)];
}

/** Day on which each hold lapsed. */
const lapsedOn = async (client: Client, holds: readonly ResourceObject[]): Promise<number[]> =>
  Promise.all(
    holds.map(async ({ type, id }) =>
      daysUntil((await client.fetch(type, id)).attributes.canceled_at),
    ),
  );

/** Ends the lease of a killed process, as if the five seconds had passed on the database's clock. */
const endLeaseOf = ({ id }: ResourceObject): Promise<unknown> =>
  withClient(api.stack.adminDatabaseUrl, (database) =>
    database.query('update sandbox_clocks set held_until = clock_timestamp() where id = $1', [id]),
  );

const start = async (port: number): Promise<ChildProcess> => {
  const script = join(import.meta.dirname, '../webhooks/server-process.ts');
  const life = { wiring: addressesOf(port), offset_seconds: 0 };
  const child = fork(script, [JSON.stringify(life)], { execArgv: [] });
  cleanup.defer(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
};

it('a sandbox clock whose process is killed during an advance continues in two others: they share one time, and each hold expires once', async () => {
  const key = await newKey();
  const client = api.as(key);
  const sandbox = await makeClock(client);
  const holds = await makeHolds(client, sandbox);
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
  await advance(there, sandbox, { by_seconds: 30 * DAY_SECONDS });
  await gone;
  await endLeaseOf(sandbox);

  await api.stack.start('server');
  const { attributes } = await client.fetch('sandbox_clocks', sandbox.id);
  expect(attributes.status).toBe('advancing');
  const second = cleanup.use(await startServer(addressesOf(0)));
  const other = createClient(second.url, key);
  expect((await waitForAdvance(other, sandbox)).attributes.ahead_seconds).toBeGreaterThan(
    31 * DAY_SECONDS,
  );
  for (const each of [client, other]) {
    expect(daysUntil((await makeCustomer(each)).attributes.created_at)).toBe(32);
  }
  expect(await lapsedOn(other, holds)).toEqual([HOLD_DAYS, HOLD_DAYS + 2]);
  const { body } = await client.get('/v2/events?filter[slug]=updated&page[size]=100');
  const canceled = body.data.filter(
    ({ attributes }: ResourceObject) => attributes.data.attributes.status === 'canceled',
  );
  expect(canceled).toHaveLength(holds.length);
});
