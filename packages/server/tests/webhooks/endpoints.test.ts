import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { FAILS_IN_ROW_MAX, UNACCEPTED_MIN } from '../../src/features/webhooks/breaker.ts';
import { divideClaimedDeliveries } from '../../src/features/webhooks/dispatch.ts';
import { loadClaimedDeliveries } from '../../src/features/webhooks/load.ts';
import { claimDeliveries } from '../../src/features/webhooks/sql/claims.ts';
import { startDeliverLoop } from '../../src/features/webhooks/workers/deliver.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { instantText, seconds } from '../../src/platform/time/clock.ts';
import { useDatabase } from '../support/database.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { makeTestbed, type Testbed } from './testbed.ts';
import { WAIT, waitForDeliveries } from './wait.ts';

const database = useDatabase();

const readSubscription = async (testbed: Testbed): Promise<Row> =>
  (await testbed.db.query('select * from webhook_subscriptions', []))[0] as Row;

/** Counts deliveries by their number of attempts. */
const countByAttempts = async (testbed: Testbed): Promise<Record<string, number>> => {
  const rows = await testbed.readDeliveries();
  return Object.fromEntries(
    [...Map.groupBy(rows, (row) => row.attempts_count as string)].map(([attempts, group]) => [
      attempts,
      group.length,
    ]),
  );
};

/** Lets an endpoint fail until it is suspended. */
async function suspendEndpoint(testbed: Testbed, receiver: Receiver): Promise<void> {
  for (let count = 0; count < FAILS_IN_ROW_MAX; count++) await testbed.emit();
  testbed.services.wake.deliver.raise();
  await vi.waitFor(async () => {
    expect((await readSubscription(testbed)).suspended_until).not.toBeNull();
  }, WAIT);
  expect(receiver.requests).toHaveLength(FAILS_IN_ROW_MAX);
}

/** Lets the work loop poll several times. */
const wakeRepeatedly = async (testbed: Testbed): Promise<void> => {
  for (let round = 0; round < 5; round++) {
    testbed.services.wake.deliver.raise();
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
};

describe('a failing endpoint', () => {
  it('gets no new deliveries, while retries keep their schedule', async () => {
    await using testbed = await makeTestbed(database.url);
    await using receiver = await startReceiver({ '/hook': () => 500 });
    await testbed.subscribe({ url: `${receiver.origin}/hook` });
    await using _loop = startDeliverLoop(testbed.services);
    await suspendEndpoint(testbed, receiver);
    const { created_at, updated_at } = await readSubscription(testbed);
    expect(updated_at).toBe(created_at);
    for (let count = 0; count < 20; count++) await testbed.emit();
    await wakeRepeatedly(testbed);
    expect(await countByAttempts(testbed)).toEqual({ 0: 20, 1: FAILS_IN_ROW_MAX });
    testbed.clock.advance(10);
    await vi.waitFor(async () => {
      expect(await countByAttempts(testbed)).toEqual({ 0: 20, 2: FAILS_IN_ROW_MAX });
    }, WAIT);
    const waitingDeliveries = (await testbed.readDeliveries()).filter(
      (row) => row.attempts_count === '0',
    );
    expect(waitingDeliveries.filter((row) => row.due_at !== row.created_at)).toEqual([]);
    const retriedDeliveries = (await testbed.readDeliveries()).filter(
      (row) => row.attempts_count === '2',
    );
    const dueOffsets = retriedDeliveries.map(
      (row) => Date.parse(row.due_at as string) * 1_000 - testbed.clock.now(),
    );
    expect(new Set(dueOffsets)).toEqual(new Set([seconds(300)]));
  });

  it('gets one probe when its suspension is over, and a longer suspension after it fails', async () => {
    await using testbed = await makeTestbed(database.url);
    await using receiver = await startReceiver({ '/hook': () => 500 });
    await testbed.subscribe({ url: `${receiver.origin}/hook` });
    await using _loop = startDeliverLoop(testbed.services);
    await using _otherLoop = startDeliverLoop(testbed.services);
    await suspendEndpoint(testbed, receiver);
    await testbed.db.query(`update webhook_deliveries set due_at = due_at + interval '1 day'`, []);
    for (let count = 0; count < 20; count++) await testbed.emit();
    testbed.clock.advance(30);
    await vi.waitFor(async () => {
      expect((await countByAttempts(testbed))[0]).toBe(19);
    }, WAIT);
    await wakeRepeatedly(testbed);
    expect(await countByAttempts(testbed)).toEqual({ 0: 19, 1: FAILS_IN_ROW_MAX + 1 });
    const { suspended_until } = await readSubscription(testbed);
    expect(Date.parse(suspended_until as string) * 1_000).toBeGreaterThan(
      testbed.clock.now() + seconds(59),
    );
  });

  it('gets one probe from several processes', async () => {
    await using testbed = await makeTestbed(database.url);
    await testbed.subscribe({ url: 'http://127.0.0.1:1/' });
    const now = instantText(testbed.clock.now());
    await testbed.db.query(
      `update webhook_subscriptions set failing_since = $1, fails_in_row = 7, suspended_until = $1`,
      [now],
    );
    for (let count = 0; count < 4; count++) await testbed.emit();
    const lease_until = instantText(testbed.clock.now() + seconds(60));
    const limits = { queue_limits: [], queue_limit: 10, merchant_limits: [], merchant_limit: 10 };
    const claim = { now, lease_until, limit: 10, ...limits };
    const claimedBatches = [
      await claimDeliveries(testbed.db, claim),
      await claimDeliveries(testbed.db, claim),
    ];
    expect(claimedBatches.map((rows) => rows.length)).toEqual([1, 1]);
    const loadedBatches = await Promise.all(
      claimedBatches.map((rows) => loadClaimedDeliveries(testbed.db, rows)),
    );
    const dispatches = await Promise.all(
      loadedBatches.map((deliveries) => divideClaimedDeliveries(testbed.services, deliveries)),
    );
    expect(dispatches.map(({ send }) => send.length).sort()).toEqual([0, 1]);
    expect(dispatches.flatMap(({ unsent }) => unsent.map(({ change }) => change))).toEqual([
      { set: { due_at: now } },
    ]);
    expect(await claimDeliveries(testbed.db, claim)).toEqual([]);
  });

  it('gets all waiting deliveries once a probe was accepted', async () => {
    await using testbed = await makeTestbed(database.url);
    await using receiver = await startReceiver({
      '/hook': (nth) => (nth < FAILS_IN_ROW_MAX ? 503 : 200),
    });
    await testbed.subscribe({ url: `${receiver.origin}/hook` });
    await using _loop = startDeliverLoop(testbed.services);
    await suspendEndpoint(testbed, receiver);
    for (let count = 0; count < 20; count++) await testbed.emit();
    testbed.clock.advance(30);
    await waitForDeliveries(testbed, { status: 'delivered' });
    expect(await readSubscription(testbed)).toMatchObject({
      failing_since: null,
      fails_in_row: '0',
      suspended_until: null,
    });
  });

  it("gets another probe if the first one's process crashed", async () => {
    await using testbed = await makeTestbed(database.url);
    await using receiver = await startReceiver({ '/hook': () => 200 });
    await testbed.subscribe({ url: `${receiver.origin}/hook` });
    await testbed.db.query(
      `update webhook_subscriptions set failing_since = $1, fails_in_row = 7, suspended_until = $2`,
      ['2020-01-01', new Date(testbed.clock.now() / 1_000 + 20_000).toISOString()],
    );
    for (let count = 0; count < 3; count++) await testbed.emit();
    await using _loop = startDeliverLoop(testbed.services);
    await wakeRepeatedly(testbed);
    expect(receiver.requests).toEqual([]);
    testbed.clock.advance(20);
    await waitForDeliveries(testbed, { status: 'delivered', attempts_count: '1' });
  });

  it('is paused after five days without a delivery, with one alert, and its pending deliveries remain', async () => {
    await using testbed = await makeTestbed(database.url);
    let isUp = false;
    await using receiver = await startReceiver({ '/hook': () => (isUp ? 200 : 500) });
    const { id } = await testbed.subscribe({ url: `${receiver.origin}/hook` });
    await testbed.emit();
    await using _loop = startDeliverLoop(testbed.services);
    await waitForDeliveries(testbed, { attempts_count: '1' });
    const { failing_since } = await readSubscription(testbed);
    await testbed.db.query('update webhook_subscriptions set untaken_count = $1', [
      UNACCEPTED_MIN - 1,
    ]);
    testbed.clock.advance(120 * 3_600);
    for (let count = 0; count < 3; count++) await testbed.emit();
    testbed.services.wake.deliver.raise();
    await vi.waitFor(async () => {
      expect(await readSubscription(testbed)).toMatchObject({
        status: 'paused',
        paused_reason: 'failing',
        failing_since,
      });
    }, WAIT);
    const changes = await testbed.db.query(
      `select kind, due_at - created_at as wait from notifiable_changes
       where record_id = $1 order by kind`,
      [id],
    );
    expect(changes).toEqual([
      { kind: 'webhook_failing', wait: '1 day' },
      { kind: 'webhook_paused', wait: '00:00:00' },
    ]);
    const alerts = await testbed.db.query('select * from account_alerts', []);
    const { host } = new URL(receiver.origin);
    expect(alerts).toEqual([
      expect.objectContaining({
        merchant_id: testbed.merchant_id,
        status: 'pending',
        code: 'webhook_subscription_paused',
        message: expect.stringContaining(host),
        message_code: 'webhook_subscription_paused',
        webhook_subscription_id: id,
      }),
    ]);
    expect(alerts[0]?.message).toContain(
      new Date(failing_since as string).toISOString().slice(0, 10),
    );
    await vi.waitFor(async () => {
      const rows = await testbed.readDeliveries();
      expect(rows.every(({ status }) => status === 'pending')).toBe(true);
    }, WAIT);
    isUp = true;
    await testbed.db.query(
      `update webhook_subscriptions set status = 'active', failing_since = null, untaken_count = 0, fails_in_row = 0,
         suspended_until = null, paused_reason = null`,
      [],
    );
    testbed.clock.advance(300);
    await waitForDeliveries(testbed, { status: 'delivered' });
  });
});

describe('ten endpoints of which nine hang', () => {
  it('do not delay the deliveries of the tenth, however many the others have', async () => {
    await using testbed = await makeTestbed(database.url);
    const hangingResponses: ServerResponse[] = [];
    const hang = (_nth: number, response: ServerResponse) => void hangingResponses.push(response);
    const paths = Array.from({ length: 9 }, (_, at) => `/hang${at}`);
    await using receiver = await startReceiver({
      ...Object.fromEntries(paths.map((path) => [path, hang])),
      '/hook': () => 204,
    });
    for (const path of paths) await testbed.subscribe({ url: `${receiver.origin}${path}` });
    for (let count = 0; count < 40; count++) await testbed.emit();
    await testbed.subscribe({ url: `${receiver.origin}/hook` });
    await using _loop = startDeliverLoop(testbed.services);
    await vi.waitFor(() => expect(hangingResponses).toHaveLength(9 * 8), WAIT);
    const emittedIds = new Set<string>();
    for (let count = 0; count < 100; count++) emittedIds.add(await testbed.emit());
    testbed.services.wake.deliver.raise();
    await vi.waitFor(() => expect(receiver.requestsTo('/hook')).toHaveLength(100), WAIT);
    expect(
      new Set(receiver.requestsTo('/hook').map(({ headers }) => headers['webhook-id'])),
    ).toEqual(emittedIds);
    expect(hangingResponses).toHaveLength(9 * 8);
    for (const response of hangingResponses) response.destroy();
  });
});
