import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { withClient } from '@florin/cli/database/client.ts';
import { type StackAddresses, startServer } from '@florin/dev-env/parts.ts';
import { freePort } from '@florin/dev-env/start-processes.ts';
import { seconds } from '@florin/server/platform/time/clock.ts';
import { afterAll, expect, it } from 'vitest';
import { HOLD_SECONDS } from '../../src/features/payments/approve.ts';
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
const clockLag = { vault: 0, database: 0 };
const api = useOwnStack({
  config: { clock },
  vaultClock: () => (clock.now() - seconds(clockLag.vault)) / 1_000,
  databaseTime: async () => clock.now() - seconds(clockLag.database),
});

/** Waits for this number of notes of `/readyz`. Returns them with the gauges. */
async function waitForNotes(count: number) {
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
  const offsets = Object.fromEntries(
    [...gauges].map(([, name, value]) => [name, Math.round(Number(value))]),
  );
  return { notes: notes.toSorted(), offsets };
}

const readInquiryCount = (id: string): Promise<number> =>
  withClient(api.stack.databaseUrl, async (database) => {
    const sql = 'select inquiries from attempts where payment_demand_id = $1';
    return (await database.query(sql, [id])).rows[0]?.inquiries;
  });

/** Lets time pass until this many inquiries were sent. */
const waitForInquiries = (id: string, inquiryCount: number) =>
  eventually(
    () => {
      clock.advance(1);
      return readInquiryCount(id);
    },
    (count) => count >= inquiryCount,
    { max_wait_ms: 30_000, pause_ms: 100 },
  );

it("while other clocks differ from the server's, no message counts as never sent, and readyz and the metrics report it", async () => {
  expect(await waitForNotes(0)).toEqual({ notes: [], offsets: { vault: 0, database: 0 } });
  Object.assign(clockLag, { vault: 40, database: 50 });
  expect(await waitForNotes(2)).toEqual({
    notes: ['database', 'vault'].map((clockName) =>
      expect.stringMatching(`^The clock of the ${clockName} is .* s behind this server's`),
    ),
    offsets: { vault: -40, database: -50 },
  });
  const attributes = { confirmed: true, amount_cents: NEVER_ARRIVES_CENTS };
  const { id } = await makeDemand(api.client, attributes, await makeParties(api.client));
  await waitForInquiries(id, 1);
  clock.advance(120);
  await waitForInquiries(id, 2);
  const payment = await api.client.fetch('payment_demands', id);
  expect([payment.attributes.status, payment.meta?.outcome]).toEqual(['processing', 'unknown']);

  Object.assign(clockLag, { vault: 0, database: 0 });
  await waitForNotes(0);
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

const createKey = async (): Promise<string> => (await api.fixtures.makeMerchant()).makeKey();

/** Holds that were created two days apart. */
async function makeHolds(client: Client, clock: ResourceObject): Promise<ResourceObject[]> {
  const firstHold = await makeAuthorisedPayment(client);
  await advanceAndWait(client, clock, 2 * DAY_SECONDS);
  return [firstHold, await makeAuthorisedPayment(client)];
}

/** Reads the day on which each hold expired. */
const readExpiryDays = async (
  client: Client,
  holds: readonly ResourceObject[],
): Promise<number[]> =>
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

const startServerProcess = async (port: number): Promise<ChildProcess> => {
  const script = join(import.meta.dirname, '../webhooks/server-process.ts');
  const options = { wiring: addressesOf(port), offset_seconds: 0 };
  const child = fork(script, [JSON.stringify(options)], { execArgv: [] });
  cleanup.defer(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
};

it('a sandbox clock whose process is killed during an advance continues in two others: they share one time, and each hold expires once', async () => {
  const key = await createKey();
  const client = api.as(key);
  const sandboxClock = await makeClock(client);
  const holds = await makeHolds(client, sandboxClock);
  await api.stack.stop('server');
  const port = await freePort();
  const child = await startServerProcess(port);
  const exit = once(child, 'exit');
  // The second event shows that the first hold has expired.
  await using receiver = await startReceiver({
    '/hook': (nth) => {
      if (nth === 1) child.kill('SIGKILL');
      return 200;
    },
  });
  const childClient = createClient(`http://localhost:${port}`, key);
  const url = `${receiver.origin}/hook`;
  await makeHook(childClient, { url, events: ['transaction.payment_demands.updated'] });
  await advance(childClient, sandboxClock, { by_seconds: 30 * DAY_SECONDS });
  await exit;
  await endLeaseOf(sandboxClock);

  await api.stack.start('server');
  const { attributes } = await client.fetch('sandbox_clocks', sandboxClock.id);
  expect(attributes.status).toBe('advancing');
  const secondServer = cleanup.use(await startServer(addressesOf(0)));
  const secondClient = createClient(secondServer.url, key);
  expect(
    (await waitForAdvance(secondClient, sandboxClock)).attributes.ahead_seconds,
  ).toBeGreaterThan(31 * DAY_SECONDS);
  for (const serverClient of [client, secondClient]) {
    expect(daysUntil((await makeCustomer(serverClient)).attributes.created_at)).toBe(32);
  }
  expect(await readExpiryDays(secondClient, holds)).toEqual([HOLD_DAYS, HOLD_DAYS + 2]);
  const { body } = await client.get('/v2/events?filter[slug]=updated&page[size]=100');
  const cancellations = body.data.filter(
    ({ attributes }: ResourceObject) => attributes.data.attributes.status === 'canceled',
  );
  expect(cancellations).toHaveLength(holds.length);
});
