import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '@florin/cli/database/client.ts';
import type { NetworkCounts } from '@florin/contract/protocol/network.ts';
import { cloneDatabase } from '@florin/dev-env/databases.ts';
import {
  type StackAddresses,
  startServer,
  startSimulator,
  startVault,
} from '@florin/dev-env/parts.ts';
import { freePort } from '@florin/dev-env/start-processes.ts';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, createClient, documentOf, type ResourceObject } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { type KillableProcess, startKillableProcess } from '../support/killable.ts';
import {
  eventually,
  makeCapturedPayment,
  makeParties,
  makeSubscription,
  purchase,
} from '../support/make.ts';
import { waitUntilDrained } from '../support/story-clock.ts';

type Kind = 'payment_demands' | 'refund_demands';
/** The kind and document of the nth request. */
type RequestOf = (nth: number) => [Kind, object];

/** Payments and refunds that the clients would send, half of each. */
const REQUESTS = 100;
const CLIENTS = 8;
/** Kills everything after this many of each, while others are in flight or not sent. */
const KILL_AFTER = 6;
/** Captured payments that are refunded in small parts. */
const CAPTURED_PAYMENTS = 2;
const PAID_CENTS = 2_000;
const REFUND_CENTS = 10;

const SUBSCRIPTIONS = 8;
/** Daily periods that are due at once. One transaction bills one of each subscription. */
const DAYS = 4;
const HOUR_S = 60 * 60;

/** Longer than the leases of the killed process. */
const LEASE_S = 61;

const cleanup = new AsyncDisposableStack();
let wiring: StackAddresses;
let florin: KillableProcess;
beforeAll(async () => {
  const database = cleanup.use(await cloneDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  wiring = {
    port: await freePort(),
    dataDir,
    socketPath: join(dataDir, 'vault.sock'),
    simulatorUrl: `http://127.0.0.1:${await freePort()}`,
    databaseUrl: database.serverUrl,
    vaultDatabaseUrl: database.vaultUrl,
  };
  const otherParts = ['simulator', 'vault'] as const;
  florin = cleanup.use(await startKillableProcess({ wiring, otherParts, offset_seconds: 0 }));
});
afterAll(() => cleanup.disposeAsync());

/** Starts all parts again, in this process, once the leases of the killed one have expired. Returns their clock. */
async function restartAll(): Promise<ReturnType<typeof createClockAhead>> {
  const clock = createClockAhead();
  clock.advanceSilently(LEASE_S);
  cleanup.use(await startSimulator(wiring.dataDir, Number(new URL(wiring.simulatorUrl).port)));
  cleanup.use(await startVault(wiring));
  cleanup.use(await startServer(wiring, { clock }));
  return clock;
}

async function connectTo({ port, dataDir }: StackAddresses): Promise<Client> {
  const credentials = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8'));
  return createClient(`http://localhost:${port}`, credentials.sandbox.secret_key);
}

/** Makes the documents of the load: payments by one payer, and parts of captured payments to refund. */
async function prepareLoad(client: Client): Promise<RequestOf> {
  const parties = await makeParties(client);
  const payments = await Promise.all(
    Array.from({ length: CAPTURED_PAYMENTS }, () =>
      makeCapturedPayment(client, { amount_cents: PAID_CENTS }),
    ),
  );
  const payment = documentOf('payment_demands', { ...purchase, confirmed: true }, parties);
  const attributes = { reason: 'technical_issue', amount_cents: REFUND_CENTS };
  const refunds = payments.map((payment_demand) =>
    documentOf('refund_demands', attributes, { payment_demand }),
  );
  return (nth) =>
    nth % 2 === 0
      ? ['payment_demands', payment]
      : ['refund_demands', refunds[(nth >> 1) % CAPTURED_PAYMENTS] as object];
}

type AcceptedIds = Readonly<Record<Kind, Set<string>>>;

/** Sends payments and refunds from many clients until they are cut off. Returns the ids that got 201. */
async function sendLoad(
  client: Client,
  requestOf: RequestOf,
  onAnswer: (acceptedIds: AcceptedIds) => void,
): Promise<AcceptedIds> {
  const acceptedIds = { payment_demands: new Set<string>(), refund_demands: new Set<string>() };
  let startedCount = 0;
  const runClient = async (): Promise<void> => {
    while (startedCount < REQUESTS) {
      const [kind, document] = requestOf(startedCount++);
      const answer = await client.send('POST', `/v2/${kind}`, document).catch(() => undefined);
      if (!answer) return;
      if (answer.status === 201) acceptedIds[kind].add(answer.body.data.id);
      onAnswer(acceptedIds);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, runClient));
  return acceptedIds;
}

/** Waits until no demand of the kind is open. */
async function waitForOutcomes(
  client: Client,
  kind: Kind,
  state: 'status' | 'state',
): Promise<void> {
  await eventually(
    () => client.get(`/v2/${kind}?filter[${state}]=pending,processing&page[size]=1`),
    ({ body }) => body.data.length === 0,
    { max_wait_ms: 90_000, pause_ms: 100 },
  );
}

/** Reads all records of a type, page by page. */
async function readAllRecords(client: Client, type: string): Promise<ResourceObject[]> {
  const records: ResourceObject[] = [];
  for (let path: string | undefined = `/v2/${type}?page[size]=500`; path; ) {
    const { body } = await client.get(path);
    records.push(...body.data);
    path = body.links.next;
  }
  return records;
}

const query = (sql: string): Promise<pg.QueryResultRow[]> =>
  withClient(wiring.databaseUrl, async (database) => (await database.query(sql)).rows);

const countRenewals = async (condition: string): Promise<number> => {
  const sql = `select count(*) from payment_demands where billing_reason = 'renewal' and ${condition}`;
  return Number((await query(sql))[0]?.count);
};

/** Makes subscriptions that owe several days. Resolves when the first of these are charged. */
async function startOverdueBilling(client: Client): Promise<void> {
  const parties = await makeParties(client);
  const attributes = { confirmed: true, billing_period: 'one_day' };
  await Promise.all(
    Array.from({ length: SUBSCRIPTIONS }, () => makeSubscription(client, attributes, parties)),
  );
  await waitUntilDrained(client);
  // The hour keeps the start of a moved period apart from the first one's, from which the id of its charge follows.
  const moveBack = (column: string) => `${column} = ${column} - interval '${DAYS} days 1 hour'`;
  await query(`with periods as (update subscription_periods set ${moveBack('start_at')}, ${moveBack('end_at')})
    update payment_subscriptions set ${moveBack('billing_cycle_anchor_at')}, ${moveBack('next_billing_at')}`);
  await eventually(
    () => countRenewals('true'),
    (count) => count > 0,
    { max_wait_ms: 60_000, pause_ms: 5 },
  );
}

/** Lets hours pass until all renewals are paid: messages that were cut off are retried. */
async function waitUntilRenewalsPaid(client: Client, clock: { advance(by_s: number): void }) {
  const expected = SUBSCRIPTIONS * DAYS;
  const isPaid = `status = 'succeeded'`;
  for (let hour = 0; hour < 12 && (await countRenewals(isPaid)) < expected; hour++) {
    clock.advance(HOUR_S + 1);
    await waitUntilDrained(client);
  }
  expect([await countRenewals(isPaid), await countRenewals('true')]).toEqual([expected, expected]);
  const rows = await query(
    `select count(*), count(distinct start_at) as starts, bool_and(payment_demand_id is not null) as charged
     from subscription_periods group by payment_subscription_id`,
  );
  const expectedRow = { count: String(DAYS + 1), starts: String(DAYS + 1), charged: true };
  expect(rows).toEqual(Array(SUBSCRIPTIONS).fill(expectedRow));
}

it('kill -9 under load loses no answered payment or refund and no period, charges no card and refunds nothing twice', async () => {
  const client = await connectTo(wiring);
  const requestOf = await prepareLoad(client);
  await startOverdueBilling(client);
  let killPromise: Promise<void> | undefined;
  const acceptedIds = await sendLoad(client, requestOf, (acceptedSoFar) => {
    if (Object.values(acceptedSoFar).every(({ size }) => size >= KILL_AFTER))
      killPromise ??= florin.kill();
  });
  await killPromise;
  expect(killPromise).toBeDefined();
  expect(acceptedIds.payment_demands.size + acceptedIds.refund_demands.size).toBeLessThan(REQUESTS);

  const clock = await restartAll();
  await waitForOutcomes(client, 'payment_demands', 'status');
  await waitForOutcomes(client, 'refund_demands', 'state');
  await waitUntilRenewalsPaid(client, clock);
  // A refund changes its payment, so payments are read once all refunds have succeeded.
  const payments = await readAllRecords(client, 'payment_demands');
  const refunds = await readAllRecords(client, 'refund_demands');
  const ids = new Set([...payments, ...refunds].map(({ id }) => id));
  const lostIds = Object.values(acceptedIds).flatMap((idsOfKind) =>
    [...idsOfKind].filter((id) => !ids.has(id)),
  );
  expect(lostIds).toEqual([]);
  expect(new Set(refunds.map(({ attributes }) => attributes.state))).toEqual(
    new Set(['succeeded']),
  );
  await expectOneOutcomeEach(client, [...payments, ...refunds]);
  const refundedCents = payments.reduce(
    (sum, { attributes }) => sum + attributes.amount_refunded_cents,
    0,
  );
  expect(refundedCents).toBe(refunds.length * REFUND_CENTS);
  const approvedPayments = payments.filter(
    ({ attributes: { status } }) => status === 'succeeded' || status === 'refunded',
  );
  expect(approvedPayments.length).toBeGreaterThan(CAPTURED_PAYMENTS + SUBSCRIPTIONS * (DAYS + 1));
  const url = `${wiring.simulatorUrl}/v1/books`;
  const counts = (await (await fetch(url)).json()) as NetworkCounts;
  expect(counts).toMatchObject({
    approved: approvedPayments.length,
    refunds: refunds.length,
    refunded: refundedCents,
  });
}, 600_000);

/** Checks that one event reports the outcome of each record. A renewal may fail before it succeeds. */
async function expectOneOutcomeEach(client: Client, records: ResourceObject[]): Promise<void> {
  const { body } = await client.get(
    '/v2/events?filter[slug]=succeeded,failed&page[size]=500&fields[events]=resource_id,slug',
  );
  const renewals = new Set(
    records.filter(({ attributes }) => attributes.billing_reason === 'renewal').map(({ id }) => id),
  );
  const resourceIds = body.data
    .map(({ attributes }: ResourceObject) => attributes)
    .filter(({ resource_id, slug }: ResourceObject['attributes']) =>
      renewals.has(resource_id) ? slug === 'succeeded' : true,
    )
    .map(({ resource_id }: ResourceObject['attributes']) => resource_id);
  expect(resourceIds.toSorted()).toEqual(records.map(({ id }) => id).toSorted());
}
