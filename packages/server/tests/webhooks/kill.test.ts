import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClonedDatabase, cloneDatabase } from '@florin/dev-env/databases.ts';
import { startServer, startSimulator } from '@florin/dev-env/parts.ts';
import { freePort } from '@florin/dev-env/start-processes.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { type Client, createClient, documentOf, type ResourceObject } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { type KillableProcess, startKillableProcess } from '../support/killable.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** `npm run test:webhooks` sends many more. */
const DELIVERIES = Number(process.env.FLORIN_WEBHOOK_DELIVERIES ?? 120);
/** Events per record; each goes to two subscriptions. */
const EVENTS_PER_RECORD = 5;
const RECORDS = Math.ceil(DELIVERIES / (2 * EVENTS_PER_RECORD));
/** Kills the server after these shares of the deliveries have arrived. */
const KILL_SHARES = DELIVERIES > 1_000 ? [0.1, 0.3, 0.6] : [0.4];
const LEASE_S = 61;
/** Small enough for a fourth attempt within seconds. */
const RETRY_SCALE = 0.002;
const CONCURRENCY = 16;
/** Percentages of the early requests that get 503, and that are disconnected after reading. */
const REFUSED_PERCENT = 5;
const DISCONNECTED_PERCENT = 5;
const LONG_TIMEOUT_MS = 240_000 + DELIVERIES * 30;

let database: ClonedDatabase;
let dataDir: string;
let receiver: Receiver;
let server: KillableProcess | undefined;

beforeAll(async () => {
  database = await cloneDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'florin-webhooks-'));
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await receiver?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

/** Runs `work` for each item, `CONCURRENCY` at a time. */
async function forAll<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const waitingItems = [...items];
  const workThroughItems = async (): Promise<void> => {
    for (let item = waitingItems.shift(); item !== undefined; item = waitingItems.shift())
      await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, workThroughItems));
}

/** Creates and changes customers while the subscriptions are paused, so that all deliveries become due together. */
async function makeEvents(client: Client): Promise<void> {
  const subscriptions: ResourceObject[] = [];
  for (const ordering of ['none', 'resource']) {
    const url = `${receiver.origin}/${ordering}`;
    const events = ['consumer.customers.*'];
    const attributes = { url, events, ordering, concurrency_limit: 100 };
    subscriptions.push(await client.make('webhook_subscriptions', attributes));
  }
  const setStatus = (status: string) =>
    forAll(subscriptions, ({ id }) =>
      changeRecord(client, 'webhook_subscriptions', id, { status }),
    );
  await setStatus('paused');
  await forAll(
    Array.from({ length: RECORDS }, (_, at) => at),
    async (at) => {
      const { id } = await client.make('customers', { email: `c${at}@example.com`, name: '1' });
      for (let nth = 2; nth <= EVENTS_PER_RECORD; nth++) {
        await changeRecord(client, 'customers', id, { name: String(nth) });
      }
    },
  );
  await setStatus('active');
}

async function changeRecord(
  client: Client,
  type: string,
  id: string,
  attributes: object,
): Promise<void> {
  const document = documentOf(type, attributes, {}, id);
  const { status } = await client.send('PATCH', `/v2/${type}/${id}`, document);
  expect(status).toBe(200);
}

const arrivedIdsAt = (path: string): string[] =>
  receiver.requestsTo(path).map(({ headers }) => headers['webhook-id'] as string);

it(
  `of ${RECORDS * EVENTS_PER_RECORD * 2} deliveries in progress when the server is killed, none is lost, stuck or out of order`,
  async () => {
    const seed = inject('seed');
    console.log(`seed ${seed}`);
    const percentages = fc.sample(fc.noBias(fc.integer({ min: 0, max: 99 })), {
      seed,
      numRuns: 4_096,
    });
    const total = RECORDS * EVENTS_PER_RECORD * 2;
    let requests = 0;
    const respond = (_nth: number, response: { socket: { resetAndDestroy(): void } | null }) => {
      const percentage = percentages[requests++ % percentages.length] as number;
      if (requests > total) return 200;
      if (percentage < REFUSED_PERCENT) return 503;
      if (percentage >= REFUSED_PERCENT + DISCONNECTED_PERCENT) return 200;
      response.socket?.resetAndDestroy();
      return undefined;
    };
    receiver = await startReceiver({ '/none': respond, '/resource': respond });
    await using network = await startSimulator(dataDir, 0);
    const wiring = {
      port: await freePort(),
      dataDir,
      socketPath: join(dataDir, 'vault.sock'),
      simulatorUrl: network.url,
      databaseUrl: database.url,
      vaultDatabaseUrl: '',
    };
    let offset_seconds = 0;
    server = await startKillableProcess({ wiring, offset_seconds });
    const credentials = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8'));
    await makeEvents(
      createClient(`http://localhost:${wiring.port}`, credentials.sandbox.secret_key),
    );
    for (const share of KILL_SHARES) {
      while (requests < share * total) await sleep(1);
      await server.kill();
      offset_seconds += LEASE_S;
      // The last server is not killed, so it runs in this process.
      if (share !== KILL_SHARES.at(-1))
        server = await startKillableProcess({ wiring, offset_seconds });
    }
    const clock = createClockAhead();
    clock.advanceSilently(offset_seconds);
    await using _lastServer = await startServer(wiring, {
      clock,
      webhook_retry_scale: RETRY_SCALE,
    });

    await using db = openDatabase({ url: database.url, connections_max: 2 });
    const readDeliveries = (): Promise<Row[]> =>
      db.query(`select status, count(*) as count from webhook_deliveries d group by status`, []);
    const deadline = performance.now() + LONG_TIMEOUT_MS;
    let statusCounts = await readDeliveries();
    while (
      statusCounts.some(({ status }) => status === 'pending') &&
      performance.now() < deadline
    ) {
      await sleep(100);
      statusCounts = await readDeliveries();
    }
    expect(statusCounts).toEqual([{ status: 'delivered', count: String(total) }]);

    const events = await db.query('select id, resource_id, sequence from events', []);
    const ids = new Set(events.map(({ id }) => id));
    expect(ids.size).toBe(total / 2);
    const eventsById = new Map(events.map((event) => [event.id, event]));
    for (const path of ['/none', '/resource']) {
      expect(new Set(arrivedIdsAt(path))).toEqual(ids);
      const bodies = Map.groupBy(receiver.requestsTo(path), ({ headers }) => headers['webhook-id']);
      const differingBodies = [...bodies].filter(
        ([, sameIdRequests]) => new Set(sameIdRequests.map(({ body }) => body)).size > 1,
      );
      expect(differingBodies).toEqual([]);
    }
    const idsByRecord = Map.groupBy(
      arrivedIdsAt('/resource'),
      (id) => eventsById.get(id)?.resource_id,
    );
    const outOfOrder = [...idsByRecord].filter(([, recordIds]) => {
      const sequences = recordIds.map((id) => Number(eventsById.get(id)?.sequence));
      return sequences.some((sequence, at) => sequence < (sequences[at - 1] ?? 0));
    });
    expect(outOfOrder).toEqual([]);
    const repeatCount = receiver.requests.length - total;
    console.log(
      `${total} deliveries, ${KILL_SHARES.length} kills, ${receiver.requests.length} requests, ${repeatCount} of them repeated`,
    );
  },
  LONG_TIMEOUT_MS + 60_000,
);
