import type { NetworkCounts } from '@florin/contract/protocol/network.ts';
import { takeSnapshot } from '@florin/dev-env/snapshot.ts';
import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { replaceFact } from '../../src/platform/database/installation/installation-facts.ts';
import { type Client, createClient, type ResourceObject } from '../support/client.ts';
import {
  makeAuthorisedPayment,
  makeCapture,
  makeCapturedPayment,
  makeDemand,
  makeParties,
  makeRefund,
  makeSubscription,
} from '../support/make.ts';
import { restoreCommandAt } from '../support/restore-command.ts';
import { createStoryClock, waitUntilDrained } from '../support/story-clock.ts';

const MONTH_S = 32 * 24 * 60 * 60;
const clock = createStoryClock(new Date().toISOString());
const millis = (): number => Math.floor(clock.now() / 1_000);

let stack: Stack;
let client: Client;
let db: Database;
/** Four subscriptions whose period was charged after the restored time. */
let subscriptions: ResourceObject[];
let order: ResourceObject;
/** An order that is older than those that processors are asked about. */
let old: ResourceObject;
let hold: ResourceObject;
let paid: ResourceObject;
let later: ResourceObject;

const restored = restoreCommandAt(() => stack.serverDatabaseUrl);

/** States of the charges of a subscription, the first charge first. */
async function chargesOf({ id }: ResourceObject): Promise<string[]> {
  const path = `/v2/payment_demands?filter[payment_subscription]=${id}&sort=created_at,id`;
  const charges: ResourceObject[] = (await client.get(path)).body.data;
  return charges.map(({ attributes }) => attributes.status);
}

const statusOf = async ({ id }: ResourceObject) =>
  (await client.fetch('payment_demands', id)).attributes.status;

const readBooks = async (): Promise<NetworkCounts> => {
  const response = await fetch(`${stack.simulatorUrl}/v1/books`);
  return (await response.json()) as NetworkCounts;
};

/** The recovered attempt of a subscription's renewal. */
async function recoveredAttemptOf({ id }: ResourceObject): Promise<string> {
  const [row] = await db.query(
    `select a.id from attempts a join payment_demands p on p.id = a.payment_demand_id
     where p.payment_subscription_id = $1 and a.recovered_at is not null`,
    [id],
  );
  return row?.id as string;
}

beforeAll(async () => {
  const now = () => new Date(millis());
  stack = await startStack({ config: { clock }, vaultClock: millis, now });
  client = createClient(stack.baseUrl, stack.credentials.sandbox.secret_key);
  db = openDatabase({ url: stack.databaseUrl, connections_max: 2 });
  const subscribe = async () =>
    makeSubscription(client, { confirmed: true }, await makeParties(client));
  subscriptions = [await subscribe(), await subscribe(), await subscribe(), await subscribe()];
  order = await makeDemand(client, {}, await makeParties(client));
  old = await makeDemand(client, {}, await makeParties(client));
  await db.query(
    `update payment_demands set created_at = created_at - interval '30 days' where id = $1`,
    [old.id],
  );
  [hold, paid] = [await makeAuthorisedPayment(client), await makeCapturedPayment(client)];
  await waitUntilDrained(client);
  await db[Symbol.asyncDispose]();
  const snapshot = await takeSnapshot(stack.adminDatabaseUrl, now);
  await makeCapture(client, hold, { amount_cents: 900 });
  await makeRefund(client, paid, { amount_cents: 300 });
  for (const { id } of [order, old])
    await client.send('PATCH', `/v2/payment_demands/${id}/confirm`);
  later = await makeCapturedPayment(client, { amount_cents: 4321 });
  clock.advance(MONTH_S);
  await waitUntilDrained(client);
  await stack.stop('server');
  await stack.stop('vault');
  await snapshot.restore();
  db = openDatabase({ url: stack.databaseUrl, connections_max: 2 });
  // As `florin restore` does: the copy has heartbeats, which `restore close` takes for running processes.
  await replaceFact(db, 'restored', snapshot.taken_at.toISOString());
  await stack.start('vault');
  await stack.start('server');
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await stack[Symbol.asyncDispose]();
});

describe('a restored installation', () => {
  it('is not opened before it has learned', async () => {
    expect(await restored('open')).toContain('nothing was learned since the restore');
    expect(await restored('report')).toContain('Nothing was learned yet');
  });

  it('tells in a dry run what it would record, and records nothing', async () => {
    const output = await restored('learn', '--dry-run');
    expect(output).toContain('payments created from a list of the processor: 1');
    expect(await statusOf(order)).not.toBe('succeeded');
    expect((await client.get(`/v2/payment_demands/${later.id}`)).status).toBe(404);
  });

  it('holds what nobody can tell', async () => {
    await stack.stop('simulator');
    await restored('learn');
    expect(await Promise.all(subscriptions.map(chargesOf))).toEqual(
      subscriptions.map(() => ['succeeded', 'processing']),
    );
    await stack.start('simulator');
    // Two of them belong to a person, as at a processor that answers no questions.
    const ids = await Promise.all(subscriptions.slice(2).map(recoveredAttemptOf));
    await db.query('update attempts set due_at = null where id = any ($1::uuid[])', [ids]);
  });

  it('records what the processor tells: periods, payments, captures and refunds', async () => {
    await restored('learn');
    const [first, second, ...undecided] = await Promise.all(subscriptions.map(chargesOf));
    expect([first, second]).toEqual([
      ['succeeded', 'succeeded'],
      ['succeeded', 'succeeded'],
    ]);
    expect(undecided.map(([, renewal]) => renewal)).toEqual(['processing', 'processing']);
    expect(await Promise.all([order, old, hold, later].map(statusOf))).toEqual([
      'succeeded',
      'succeeded',
      'succeeded',
      'succeeded',
    ]);
    const { attributes } = await client.fetch('payment_demands', paid.id);
    expect(attributes.amount_refundable_cents).toBe(2_200);
    expect((await client.fetch('payment_demands', hold.id)).attributes).toMatchObject({
      amount_captured_cents: 900,
    });
  });

  it('finds nothing new in another run', async () => {
    const output = await restored('learn');
    expect(output).toContain('charges recorded for known payments and periods: 0');
    expect(output).toContain('payments created from a list of the processor: 0');
  });

  it('lets a person decide what is left, in the audit log', async () => {
    const [charged, open] = await Promise.all(subscriptions.slice(2).map(recoveredAttemptOf));
    expect(await restored('report')).toContain(`attempt ${charged}: renewal of subscription`);
    expect(await restored('decide', charged as string, 'charged', 'ref-1')).toContain(
      'was charged',
    );
    expect(await restored('decide', open as string, 'not-charged')).toContain('was not charged');
    expect(await restored('decide', open as string, 'charged')).toContain('is known already');
    const [third, fourth] = await Promise.all(subscriptions.slice(2).map(chargesOf));
    expect([third, fourth]).toEqual([
      ['succeeded', 'succeeded'],
      ['succeeded', 'failed'],
    ]);
    const report = await restored('report');
    expect(report).toContain('Nobody has to decide anything');
    expect(report).not.toContain('DIFFERS');
    const entries = await db.query(
      `select 1 from audit_log where entry like '%restore decide%'`,
      [],
    );
    expect(entries).toHaveLength(2);
  });

  it('charges no period again once it is open', async () => {
    const { approved } = await readBooks();
    expect(await restored('open')).toContain('is open. Running processes begin');
    await waitUntilDrained(client);
    expect((await readBooks()).approved).toBe(approved);
    const statuses = await Promise.all(subscriptions.slice(0, 3).map(chargesOf));
    expect(statuses).toEqual(statuses.map(() => ['succeeded', 'succeeded']));
  });

  it('has the runs that record something, and its opening, in the audit log', async () => {
    const entries = await db.query(
      `select entry from audit_log where entry ~ 'restore (learn|open)' order by seq`,
      [],
    );
    const commands = entries.map(({ entry }) => JSON.parse(entry as string));
    expect(commands.map(({ command }) => command)).toEqual([
      ...Array.from({ length: 3 }, () => 'restore learn'),
      'restore open',
    ]);
    const restored_to = commands[0]?.subject;
    expect(restored_to).toMatch(/^[0-9-]{10}T[0-9:.]+Z$/);
    expect(commands.map(({ subject }) => subject)).toEqual(commands.map(() => restored_to));
  });
});
