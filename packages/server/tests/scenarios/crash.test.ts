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
/** Kills everything after this many of each: some have an outcome then, some are in flight, some are not sent. */
const KILL_AFTER = 6;
/** Captured payments that are refunded in small parts. */
const PAID = 2;
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
    databaseUrl: database.url,
    vaultDatabaseUrl: database.vaultUrl,
  };
  const otherParts = ['simulator', 'vault'] as const;
  florin = cleanup.use(await startKillableProcess({ wiring, otherParts, offset_seconds: 0 }));
});
afterAll(() => cleanup.disposeAsync());

/** Starts all parts again, in this process, once the leases of the killed one have expired. Returns their clock. */
async function startAgain(): Promise<ReturnType<typeof createClockAhead>> {
  const clock = createClockAhead();
  clock.advanceSilently(LEASE_S);
  cleanup.use(await startSimulator(wiring.dataDir, Number(new URL(wiring.simulatorUrl).port)));
  cleanup.use(await startVault(wiring));
  cleanup.use(await startServer(wiring, { clock }));
  return clock;
}

async function clientOf({ port, dataDir }: StackAddresses): Promise<Client> {
  const credentials = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8'));
  return createClient(`http://localhost:${port}`, credentials.sandbox.secret_key);
}

/** Makes the documents of the load: payments by one payer, and parts of captured payments to refund. */
async function prepareLoad(client: Client): Promise<RequestOf> {
  const parties = await makeParties(client);
  const paid = await Promise.all(
    Array.from({ length: PAID }, () => makeCapturedPayment(client, { amount_cents: PAID_CENTS })),
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
async function load(
  client: Client,
  requestOf: RequestOf,
  onAnswer: (answered: Answered) => void,
): Promise<Answered> {
  const answered = { payment_demands: new Set<string>(), refund_demands: new Set<string>() };
  let started = 0;
  const runOne = async (): Promise<void> => {
    while (started < REQUESTS) {
      const [kind, document] = requestOf(started++);
      const answer = await client.send('POST', `/v2/${kind}`, document).catch(() => undefined);
      if (!answer) return;
      if (answer.status === 201) answered[kind].add(answer.body.data.id);
      onAnswer(answered);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, runOne));
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

const query = (sql: string): Promise<pg.QueryResultRow[]> =>
  withClient(wiring.databaseUrl, async (database) => (await database.query(sql)).rows);

const renewalsThat = async (condition: string): Promise<number> => {
  const sql = `select count(*) from payment_demands where billing_reason = 'renewal' and ${condition}`;
  return Number((await query(sql))[0]?.count);
};

/** Subscriptions that paid their first day and owe the next ones. Resolves when the first of these are charged. */
async function untilBillingBegins(client: Client): Promise<void> {
  const parties = await makeParties(client);
  const attributes = { confirmed: true, billing_period: 'one_day' };
  await Promise.all(
    Array.from({ length: SUBSCRIPTIONS }, () => makeSubscription(client, attributes, parties)),
  );
  await waitUntilDrained(client);
  const movedBack = (column: string) => `${column} = ${column} - interval '${DAYS} days'`;
  await query(`with periods as (update subscription_periods set ${movedBack('start_at')}, ${movedBack('end_at')})
    update payment_subscriptions set ${movedBack('billing_cycle_anchor_at')}, ${movedBack('next_billing_at')}`);
  await eventually(
    () => renewalsThat('true'),
    (count) => count > 0,
    { max_wait_ms: 60_000, pause_ms: 5 },
  );
}

/** Lets hours pass until all renewals are paid: a message that was cut off counts as not sent, and is retried. */
async function untilRenewalsArePaid(client: Client, clock: { advance(by_s: number): void }) {
  const expected = SUBSCRIPTIONS * DAYS;
  const isPaid = `status = 'succeeded'`;
  for (let hour = 0; hour < 12 && (await renewalsThat(isPaid)) < expected; hour++) {
    clock.advance(HOUR_S + 1);
    await waitUntilDrained(client);
  }
  expect([await renewalsThat(isPaid), await renewalsThat('true')]).toEqual([expected, expected]);
  const rows = await query(
    `select count(*), count(distinct start_at) as starts, bool_and(payment_demand_id is not null) as charged
     from subscription_periods group by payment_subscription_id`,
  );
  const each = { count: String(DAYS + 1), starts: String(DAYS + 1), charged: true };
  expect(rows).toEqual(Array(SUBSCRIPTIONS).fill(each));
}

it('kill -9 under load loses no answered payment or refund and no period, charges no card and refunds nothing twice', async () => {
  const client = await clientOf(wiring);
  const requestOf = await prepareLoad(client);
  await untilBillingBegins(client);
  let killed: Promise<void> | undefined;
  const answered = await load(client, requestOf, (sofar) => {
    if (Object.values(sofar).every(({ size }) => size >= KILL_AFTER)) killed ??= florin.kill();
  });
  await killed;
  expect(killed).toBeDefined();
  expect(answered.payment_demands.size + answered.refund_demands.size).toBeLessThan(REQUESTS);

  const clock = await startAgain();
  await untilSettled(client, 'payment_demands', 'status');
  await untilSettled(client, 'refund_demands', 'state');
  await untilRenewalsArePaid(client, clock);
  // A refund changes its payment, so payments are read once all refunds have succeeded.
  const payments = await allRecords(client, 'payment_demands');
  const refunds = await allRecords(client, 'refund_demands');
  const ids = new Set([...payments, ...refunds].map(({ id }) => id));
  const lost = Object.values(answered).flatMap((made) => [...made].filter((id) => !ids.has(id)));
  expect(lost).toEqual([]);
  expect(new Set(refunds.map(({ attributes }) => attributes.state))).toEqual(
    new Set(['succeeded']),
  );
  await haveOneOutcomeEach(client, [...payments, ...refunds]);
  const refunded = payments.reduce(
    (sum, { attributes }) => sum + attributes.amount_refunded_cents,
    0,
  );
  expect(refunded).toBe(refunds.length * REFUND_CENTS);
  const charged = payments.filter(
    ({ attributes: { status } }) => status === 'succeeded' || status === 'refunded',
  );
  expect(charged.length).toBeGreaterThan(PAID + SUBSCRIPTIONS * (DAYS + 1));
  const url = `${wiring.simulatorUrl}/v1/books`;
  const counts = (await (await fetch(url)).json()) as NetworkCounts;
  expect(counts).toMatchObject({ approved: charged.length, refunds: refunds.length, refunded });
}, 180_000);

/** Checks that one event tells the outcome of each record. A renewal may fail before it succeeds. */
async function haveOneOutcomeEach(client: Client, records: ResourceObject[]): Promise<void> {
  const { body } = await client.get(
    '/v2/events?filter[slug]=succeeded,failed&page[size]=500&fields[events]=resource_id,slug',
  );
  const renewals = new Set(
    records.filter(({ attributes }) => attributes.billing_reason === 'renewal').map(({ id }) => id),
  );
  const eventSlugs = body.data
    .map(({ attributes }: ResourceObject) => attributes)
    .filter(({ resource_id, slug }: ResourceObject['attributes']) =>
      renewals.has(resource_id) ? slug === 'succeeded' : true,
    )
    .map(({ resource_id }: ResourceObject['attributes']) => resource_id);
  expect(eventSlugs.toSorted()).toEqual(records.map(({ id }) => id).toSorted());
}
