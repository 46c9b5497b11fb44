import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { createRecorder } from '../../src/features/webhooks/record.ts';
import { claimDeliveries } from '../../src/features/webhooks/sql/claims.ts';
import { startDeliverLoop } from '../../src/features/webhooks/workers/deliver.ts';
import { openDatabase } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { instantText, seconds } from '../../src/platform/time/clock.ts';
import { useDatabase } from '../support/database.ts';
import { startReceiver } from './receiver.ts';
import { makeTestbed, type Testbed } from './testbed.ts';
import { endResponses, statusesOf, WAIT, waitForDeliveries } from './wait.ts';

const database = useDatabase();

describe('workers', () => {
  it('that run concurrently send each delivery once', async () => {
    await using testbed = await makeTestbed(database.url);
    await using receiver = await startReceiver({ '/hook': () => 200 });
    await testbed.subscribe({ url: `${receiver.origin}/hook`, concurrency_limit: 100 });
    const ids = await Promise.all(Array.from({ length: 150 }, () => testbed.emit()));
    await using otherDb = openDatabase({ url: database.url, connections_max: 4 });
    await using _loop = startDeliverLoop(testbed.services);
    await using _otherLoop = startDeliverLoop({ ...testbed.services, db: otherDb });
    // The clock stands still: no lease can end, however long the test takes.
    await waitForDeliveries(testbed, { status: 'delivered' });
    const arrivedIds = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(arrivedIds.sort()).toEqual(ids.sort());
  });

  const claimDelivery = async (testbed: Testbed) => {
    const now = testbed.clock.now();
    const [row] = await claimDeliveries(testbed.db, {
      now: instantText(now),
      lease_until: instantText(now + seconds(60)),
      limit: 1,
      queue_limits: [],
      queue_limit: 1,
      merchant_limits: [],
      merchant_limit: 1,
    });
    return row as Row;
  };

  it('that crash leave their deliveries to others after the lease', async () => {
    await using testbed = await makeTestbed(database.url);
    await using receiver = await startReceiver({ '/hook': () => 200 });
    await testbed.subscribe({ url: `${receiver.origin}/hook` });
    const lostId = await testbed.emit();
    await claimDelivery(testbed);
    const nextId = await testbed.emit();
    await using _loop = startDeliverLoop(testbed.services);
    await vi.waitFor(async () => {
      expect((await statusesOf(testbed)).sort()).toEqual(['delivered', 'pending']);
    }, WAIT);
    testbed.clock.advance(60);
    await waitForDeliveries(testbed, { status: 'delivered' });
    const arrivedIds = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(arrivedIds).toEqual([nextId, lostId]);
  });

  it('whose lease is over record successes, but no failures', async () => {
    await using testbed = await makeTestbed(database.url);
    await testbed.subscribe({ url: 'http://127.0.0.1:1/' });
    await testbed.emit();
    const lateDelivery = await claimDelivery(testbed);
    testbed.clock.advance(60);
    await claimDelivery(testbed);
    const record = createRecorder(testbed.services);
    const [started_at, ended_at] = [testbed.clock.now(), testbed.clock.now()];
    const makeAttempt = (status: number) => ({ answer: { status }, started_at, ended_at });
    await record({ delivery: lateDelivery, attempt: makeAttempt(404) });
    expect(await statusesOf(testbed)).toEqual(['pending']);
    await record({ delivery: lateDelivery, attempt: makeAttempt(200) });
    expect(await statusesOf(testbed)).toEqual(['delivered']);
  });

  it('send nothing that their lease may not cover', async () => {
    await using testbed = await makeTestbed(database.url);
    const openResponses: ServerResponse[] = [];
    await using receiver = await startReceiver({
      '/hook': (_nth, response) => void openResponses.push(response),
    });
    await testbed.subscribe({ url: `${receiver.origin}/hook`, concurrency_limit: 1 });
    await testbed.emit();
    await testbed.emit();
    await using _loop = startDeliverLoop(testbed.services);
    await vi.waitFor(() => expect(openResponses).toHaveLength(1), WAIT);
    testbed.clock.advance(55);
    endResponses(openResponses);
    await vi.waitFor(async () => {
      expect((await statusesOf(testbed)).sort()).toEqual(['delivered', 'pending']);
    }, WAIT);
    expect(receiver.requests).toHaveLength(1);
    testbed.clock.advance(5);
    await vi.waitFor(() => expect(openResponses).toHaveLength(2), WAIT);
    endResponses(openResponses.slice(1));
    await waitForDeliveries(testbed, { status: 'delivered', fails_count: '0' });
  });

  it('that stop release unsent deliveries', async () => {
    await using testbed = await makeTestbed(database.url);
    const openResponses: ServerResponse[] = [];
    await using receiver = await startReceiver({
      '/hook': (_nth, response) => void openResponses.push(response),
    });
    await testbed.subscribe({ url: `${receiver.origin}/hook`, concurrency_limit: 1 });
    for (let count = 0; count < 3; count++) await testbed.emit();
    const loop = startDeliverLoop(testbed.services);
    await vi.waitFor(() => expect(openResponses).toHaveLength(1), WAIT);
    const stopPromise = loop[Symbol.asyncDispose]();
    endResponses(openResponses);
    await stopPromise;
    expect((await statusesOf(testbed)).sort()).toEqual(['delivered', 'pending', 'pending']);
    const dueDeliveries = await testbed.db.query(
      'select id from webhook_deliveries where due_at <= $1',
      [instantText(testbed.clock.now())],
    );
    expect(dueDeliveries).toHaveLength(2);
  });
});
