import { type NetworkCounts, networkPaths } from '@florin/contract/protocol/network.ts';
import { takeSnapshot } from '@florin/dev-env/snapshot.ts';
import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorisationId } from '../../src/features/attempts/attempt-id.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { replaceFact } from '../../src/platform/database/installation/installation-facts.ts';
import type { NetworkProcessor } from '../../src/processors/port/processor.ts';
import { createSandboxProcessor } from '../../src/processors/sandbox/index.ts';
import { type Client, createClient, type ResourceObject } from '../support/client.ts';
import {
  eventually,
  makeCapturedPayment,
  makeDemand,
  makeParties,
  makeRefund,
  makeSubscription,
  newestOf,
  waitForOutcome,
} from '../support/make.ts';
import { operatorOf } from '../support/operator.ts';
import { allowFollowUpAttempts, refuseFollowUpAttempts } from '../support/refuse-attempts.ts';
import { restoreCommandAt } from '../support/restore-command.ts';
import { createStoryClock, waitUntilDrained } from '../support/story-clock.ts';

const DAY_S = 24 * 60 * 60;
const clock = createStoryClock(new Date().toISOString());
const millis = (): number => Math.floor(clock.now() / 1_000);

/** Ids of messages that the network gives no answer about. */
const silent = new Set<string>();
/** The same until the installation is open. */
const silentUntilOpen = new Set<string>();
let isDeclining = false;
let isLosingRefunds = false;
let stack: Stack;
let client: Client;
let db: Database;
/** A subscription with two periods that were charged after the restored time. */
let subscription: ResourceObject;
/** A subscription whose failed renewal was charged after the restored time. */
let failing: ResourceObject;
/** A subscription whose renewal was declined after the restored time, and charged by a retry. */
let retried: ResourceObject;
/** A subscription whose renewal was charged after the restored time, with another price. */
let repriced: ResourceObject;
/** A declined order, whose only known attempt has the number 2. */
let order: ResourceObject;
/** A refund that was due at the restored time, and that the network lists and does not find. */
let refund: ResourceObject;
/** The same, whose answer was lost before the restored time. */
let inFlight: ResourceObject;
/** The same, of a payment that was disputed at the restored time. */
let disputed: ResourceObject;

/** The simulated network, which declines or gives no answer where the test says so. */
function doubtfulNetwork(simulatorUrl: string): NetworkProcessor {
  const network = createSandboxProcessor({ simulatorUrl });
  return {
    ...network,
    authorise: {
      ...network.authorise,
      mapAnswer: (...answer) => {
        const result = network.authorise.mapAnswer(...answer);
        if (!isDeclining || result.result !== 'approved') return result;
        const { cvc2_check, address_line1_verification, postal_code_verification } = result;
        const checks = { cvc2_check, address_line1_verification, postal_code_verification };
        return { result: 'declined', code: 'insufficient_funds', ...checks };
      },
    },
    inquire: {
      ...network.inquire,
      mapAnswer: (answer, id) =>
        silent.has(id ?? '') || silentUntilOpen.has(id ?? '')
          ? { result: 'unknown', why: 'the test gives no answer' }
          : network.inquire.mapAnswer(answer, id),
    },
    refund: {
      ...network.refund,
      send: {
        ...network.refund.send,
        mapAnswer: (...answer) =>
          isLosingRefunds
            ? { result: 'unknown', why: 'the test loses the answer' }
            : network.refund.send.mapAnswer(...answer),
      },
      inquire: { ...network.refund.inquire, mapAnswer: () => ({ result: 'not_found' }) },
    },
  };
}

const restored = restoreCommandAt(() => stack.serverDatabaseUrl);

/** Charges of a subscription, the earliest period first. */
async function chargesOf({ id }: ResourceObject): Promise<ResourceObject[]> {
  const path = `/v2/payment_demands?filter[payment_subscription]=${id}`;
  const charges: ResourceObject[] = (await client.get(path)).body.data;
  return charges.toSorted(({ attributes: a }, { attributes: b }) =>
    String(a.period_start_at).localeCompare(String(b.period_start_at)),
  );
}

const statusesOf = async (of: ResourceObject): Promise<string[]> =>
  (await chargesOf(of)).map(({ attributes }) => attributes.status);

const subscribe = async (): Promise<ResourceObject> =>
  makeSubscription(client, { confirmed: true }, await makeParties(client));

async function countApproved(): Promise<number> {
  const response = await fetch(`${stack.simulatorUrl}/v1/books`);
  return ((await response.json()) as NetworkCounts).approved;
}

/** Id of a message of a subscription's first renewal. */
async function renewalMessage(of: ResourceObject, number: number): Promise<string> {
  const [, renewal] = await chargesOf(of);
  return authorisationId(renewal?.id as string, number);
}

/** Makes the network know the first message of a renewal as one that charges nothing, and a second one as charged. */
async function chargeAgain(of: ResourceObject, amount: number): Promise<void> {
  const post = async (path: string, body: object) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const response = await fetch(stack.simulatorUrl + path, {
      ...init,
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
  };
  await post(networkPaths.reverse(await renewalMessage(of, 1)), {});
  await post(networkPaths.authorisations, {
    reference: await renewalMessage(of, 2),
    amount,
    currency: 'USD',
    card: { number: '4005519200000004', expiry_month: '12', expiry_year: '2041' },
    capture: true,
  });
}

async function pass(days: number): Promise<void> {
  clock.advance(days * DAY_S);
  await waitUntilDrained(client);
}

beforeAll(async () => {
  const now = () => new Date(millis());
  stack = await startStack({
    config: { clock },
    vaultClock: millis,
    now,
    processors: ({ simulatorUrl }) => {
      const network = doubtfulNetwork(simulatorUrl);
      return {
        of: (mode) => (mode === 'sandbox' ? network : undefined),
        findByName: (name) => (name === network.metadata.name ? network : undefined),
      };
    },
  });
  client = createClient(stack.baseUrl, stack.credentials.sandbox.secret_key);
  failing = await subscribe();
  await waitUntilDrained(client);
  isDeclining = true;
  await pass(32);
  order = await makeDemand(client, { confirmed: true }, await makeParties(client));
  await waitForOutcome(client, order.id);
  isDeclining = false;
  // The network's list begins shortly before the restored time, and has the order as approved.
  clock.advance(600);
  [subscription, retried, repriced] = [await subscribe(), await subscribe(), await subscribe()];
  await waitUntilDrained(client);
  const paid = await makeCapturedPayment(client, { amount_cents: 1_700 });
  const [lost, contested] = [
    await makeCapturedPayment(client, { amount_cents: 1_800 }),
    await makeCapturedPayment(client, { amount_cents: 1_900 }),
  ];
  isLosingRefunds = true;
  inFlight = await makeRefund(client, lost, { amount_cents: 300 });
  await eventually(
    () => client.fetch('refund_demands', inFlight.id),
    ({ meta }) => meta?.outcome === 'unknown',
  );
  await refuseFollowUpAttempts(stack.adminDatabaseUrl);
  refund = await makeRefund(client, paid, { amount_cents: 200 });
  disputed = await makeRefund(client, contested, { amount_cents: 400 });
  const snapshot = await takeSnapshot(stack.adminDatabaseUrl, now);
  await allowFollowUpAttempts(stack.adminDatabaseUrl);
  isLosingRefunds = false;
  for (const days of [5, 32, 32]) await pass(days);
  const [, renewal] = await chargesOf(subscription);
  const [, failed] = await chargesOf(failing);
  silent.add(authorisationId(renewal?.id as string, 1));
  silent.add(authorisationId(failed?.id as string, 2));
  await chargeAgain(retried, 2_500);
  await chargeAgain(repriced, 3_100);
  for (const number of [1, 2]) silentUntilOpen.add(await renewalMessage(retried, number));
  await stack.stop('server');
  await stack.stop('vault');
  await snapshot.restore();
  await allowFollowUpAttempts(stack.adminDatabaseUrl);
  db = openDatabase({ url: stack.databaseUrl, connections_max: 2 });
  await replaceFact(db, 'restored', snapshot.taken_at.toISOString());
  await db.query('update attempts set id = $1 where payment_demand_id = $2', [
    authorisationId(order.id, 2),
    order.id,
  ]);
  await db.query(`update payment_demands set status = 'disputed' where id = $1`, [contested.id]);
  await stack.start('vault');
  await stack.start('server');
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await stack[Symbol.asyncDispose]();
});

describe('a restored installation with one answer missing', () => {
  it('holds the period in doubt, and records the charged period after it', async () => {
    await restored('learn');
    expect(await statusesOf(subscription)).toEqual(['succeeded', 'processing', 'succeeded']);
  });

  it('leaves a due refund to an operator that its network lists and does not find', async () => {
    const report = await restored('report');
    expect(report).toMatch(new RegExp(`refund sandbox ${refund.id}.* does not find it`));
    const [attempt] = await db.query(
      'select status, due_at from attempts where refund_demand_id = $1',
      [refund.id],
    );
    expect(attempt).toEqual({ status: 'unknown', due_at: null });
  });

  it('leaves a refund in flight to an operator too, and does not send it again', async () => {
    const report = await restored('report');
    expect(report).toMatch(new RegExp(`refund sandbox ${inFlight.id}.* does not find it`));
    const attempts = await db.query(
      'select status, due_at from attempts where refund_demand_id = $1',
      [inFlight.id],
    );
    expect(attempts).toEqual([{ status: 'unknown', due_at: null }]);
  });

  it('asks a person about a refund that its payment cannot take', async () => {
    const [attempt] = await db.query(
      `select a.id from attempts a join refund_demands r on r.payment_demand_id = a.payment_demand_id
       where r.id = $1 and a.operation = 'authorise'`,
      [disputed.id],
    );
    const id = attempt?.id as string;
    const { attributes } = await client.fetch('refund_demands', disputed.id);
    expect(attributes.status).toBe('pending');
    const report = await restored('report');
    expect(report).toContain(`authorisation ${id}`);
    expect(report).toContain(`its refund ${disputed.id} is not recorded: the payment is disputed`);
    const dry = await restored('decide', id, 'unchanged', '--dry-run');
    expect(dry).toMatch(/^Nothing was changed.*\nRecorded: .* is unchanged\.$/m);
    expect(await restored('decide', id, 'unchanged')).toContain('is unchanged');
  });

  it('holds the retry of a failed renewal', async () => {
    expect(await statusesOf(failing)).toEqual(['succeeded', 'processing']);
  });

  it('records both once the network answers', async () => {
    silent.clear();
    await restored('learn');
    expect(await statusesOf(subscription)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect((await statusesOf(failing)).slice(0, 2)).toEqual(['succeeded', 'succeeded']);
  });

  it('leaves a charge of another amount to an operator', async () => {
    const attempt = await renewalMessage(repriced, 2);
    expect((await statusesOf(repriced))[1]).toBe('processing');
    const [line] = (await restored('report')).split('\n').filter((text) => text.includes(attempt));
    expect(line).toContain('2500 USD in minor units, at sandbox, which approved 3100 USD');
    expect(await restored('decide', attempt, 'charged')).toContain('approved 3100 USD');
    expect((await statusesOf(repriced))[1]).toBe('processing');
  });

  it('charges nothing again once it is open', async () => {
    expect((await statusesOf(retried))[1]).toBe('processing');
    const approved = await countApproved();
    await restored('open');
    silentUntilOpen.clear();
    await waitUntilDrained(client);
    expect(await countApproved()).toBe(approved);
  });

  it('finds the charge of a later message before a held payment fails', async () => {
    clock.advance(3_600);
    await waitUntilDrained(client);
    expect((await statusesOf(retried))[1]).toBe('succeeded');
    const rows = await db.query(
      `select a.id, a.status from attempts a join payment_demands p on p.id = a.payment_demand_id
       where p.payment_subscription_id = $1 and a.recovered_at is not null`,
      [retried.id],
    );
    const statuses = new Map(rows.map(({ id, status }) => [id, status]));
    expect(statuses.get(await renewalMessage(retried, 1))).toBe('declined');
    expect(statuses.get(await renewalMessage(retried, 2))).toBe('approved');
  });

  it('lets an operator close what nobody decided before the opening', async () => {
    const { id } = await newestOf(client, 'merchants');
    const attempt = await renewalMessage(repriced, 2);
    const path = `/merchants/${id}/sandbox/unknown_outcomes/${attempt}/close`;
    await operatorOf({ stack }).change('POST', path, {
      outcome: 'failed',
      reason: 'Refunded there',
    });
    expect((await statusesOf(repriced))[1]).toBe('failed');
  });

  it('sends a payment again whose only known attempt has a later number', async () => {
    expect((await client.fetch('payment_demands', order.id)).attributes.status).toBe('failed');
    await client.send('PATCH', `/v2/payment_demands/${order.id}/confirm`);
    expect((await waitForOutcome(client, order.id)).attributes.status).toBe('succeeded');
  });
});
