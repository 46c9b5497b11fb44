import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NetworkCounts } from '@florin/contract/protocol/network.ts';
import { cloneDatabase } from '@florin/dev-env/databases.ts';
import {
  type StackAddresses,
  startServer,
  startSimulator,
  startVault,
} from '@florin/dev-env/parts.ts';
import { freePort } from '@florin/dev-env/start-processes.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, createClient, documentOf, type ResourceObject } from '../support/client.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import { type Killable, startKillable } from '../support/killable.ts';
import { eventually, makePaid, makeParties, purchase } from '../support/make.ts';

type Kind = 'payment_demands' | 'refund_demands';

/** Payments and refunds that the clients would send, half of each. */
const REQUESTS = 200;
const CLIENTS = 16;
/** Kills everything after this many of each: some have an outcome then, some are in flight, some are not sent. */
const KILL_AFTER = 16;
/** Captured payments that are refunded in small parts. */
const PAID = 4;
const PAID_CENTS = 2_000;
const REFUND_CENTS = 10;

/** Longer than the leases of the killed process. */
const LEASE_S = 61;

const cleanup = new AsyncDisposableStack();
let wiring: StackAddresses;
let florin: Killable;
beforeAll(async () => {
  const database = cleanup.use(await cloneDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  wiring = {
    port: await freePort(),
    dataDir,
    socketPath: join(dataDir, 'vault.sock'),
    simulatorUrl: `http://127.0.0.1:${await freePort()}`,
    databaseUrl: database.url,
    vaultDatabaseUrl: database.vaultUrl,
  };
  const besides = ['simulator', 'vault'] as const;
  florin = cleanup.use(await startKillable({ wiring, besides, offset_seconds: 0 }));
});
afterAll(() => cleanup.disposeAsync());

/** Starts all parts again, in this process, once the leases of the killed one have expired. */
async function startAgain(): Promise<void> {
  const clock = clockAhead();
  clock.pass(LEASE_S);
  cleanup.use(await startSimulator(wiring.dataDir, Number(new URL(wiring.simulatorUrl).port)));
  cleanup.use(await startVault(wiring));
  cleanup.use(await startServer(wiring, { clock }));
}

async function clientOf({ port, dataDir }: StackAddresses): Promise<Client> {
  const credentials = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8'));
  return createClient(`http://localhost:${port}`, credentials.sandbox.secret_key);
}

/** Makes the documents of the load: payments by one payer, and parts of captured payments to refund. */
async function prepareLoad(client: Client): Promise<(nth: number) => [Kind, object]> {
  const parties = await makeParties(client);
  const paid = await Promise.all(
    Array.from({ length: PAID }, () => makePaid(client, { amount_cents: PAID_CENTS })),
  );
  const payment = documentOf('payment_demands', { ...purchase, confirmed: true }, parties);
  const part = { reason: 'technical_issue', amount_cents: REFUND_CENTS };
  const refunds = paid.map((payment_demand) =>
    documentOf('refund_demands', part, { payment_demand }),
  );
  return (nth) =>
    nth % 2 === 0
      ? ['payment_demands', payment]
      : ['refund_demands', refunds[(nth >> 1) % PAID] as object];
}

type Answered = Readonly<Record<Kind, Set<string>>>;

/** Sends payments and refunds from many clients until they are cut off. Returns the ids that got 201. */
async function load(client: Client, onAnswer: (answered: Answered) => void): Promise<Answered> {
  const requestOf = await prepareLoad(client);
  const answered = { payment_demands: new Set<string>(), refund_demands: new Set<string>() };
  let started = 0;
  const one = async (): Promise<void> => {
    while (started < REQUESTS) {
      const [kind, document] = requestOf(started++);
      const answer = await client.send('POST', `/v2/${kind}`, document).catch(() => undefined);
      if (!answer) return;
      if (answer.status === 201) answered[kind].add(answer.body.data.id);
      onAnswer(answered);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, one));
  return answered;
}

/** Waits until none is open. */
async function untilSettled(client: Client, kind: Kind, state: 'status' | 'state'): Promise<void> {
  await eventually(
    () => client.get(`/v2/${kind}?filter[${state}]=pending,processing&page[size]=1`),
    ({ body }) => body.data.length === 0,
    { max_wait_ms: 90_000, pause_ms: 100 },
  );
}

/** Reads all records of a type, page by page. */
async function allRecords(client: Client, type: string): Promise<ResourceObject[]> {
  const records: ResourceObject[] = [];
  for (let path: string | undefined = `/v2/${type}?page[size]=500`; path; ) {
    const { body } = await client.get(path);
    records.push(...body.data);
    path = body.links.next;
  }
  return records;
}

it('kill -9 under load loses no answered payment or refund, charges no card and refunds nothing twice', async () => {
  const client = await clientOf(wiring);
  let killed: Promise<void> | undefined;
  const answered = await load(client, (sofar) => {
    if (Object.values(sofar).every(({ size }) => size >= KILL_AFTER)) killed ??= florin.kill();
  });
  await killed;
  expect(killed).toBeDefined();
  expect(answered.payment_demands.size + answered.refund_demands.size).toBeLessThan(REQUESTS);

  await startAgain();
  await untilSettled(client, 'payment_demands', 'status');
  await untilSettled(client, 'refund_demands', 'state');
  // A refund changes its payment, so payments are read once all refunds have succeeded.
  const payments = await allRecords(client, 'payment_demands');
  const refunds = await allRecords(client, 'refund_demands');
  const ids = new Set([...payments, ...refunds].map(({ id }) => id));
  const lost = Object.values(answered).flatMap((made) => [...made].filter((id) => !ids.has(id)));
  expect(lost).toEqual([]);
  expect(new Set(refunds.map(({ attributes }) => attributes.state))).toEqual(
    new Set(['succeeded']),
  );

  const { body } = await client.get(
    '/v2/events?filter[slug]=succeeded,failed&page[size]=1&page[total]=true',
  );
  expect((body.meta.pagination as { total: number }).total).toBe(payments.length + refunds.length);
  const refunded = payments.reduce(
    (sum, { attributes }) => sum + attributes.amount_refunded_cents,
    0,
  );
  expect(refunded).toBe(refunds.length * REFUND_CENTS);
  const charged = payments.filter(
    ({ attributes: { status } }) => status === 'succeeded' || status === 'refunded',
  );
  expect(charged.length).toBeGreaterThan(PAID);
  const url = `${wiring.simulatorUrl}/v1/books`;
  const books = (await (await fetch(url)).json()) as NetworkCounts;
  expect(books).toMatchObject({ approved: charged.length, refunds: refunds.length, refunded });
}, 180_000);
