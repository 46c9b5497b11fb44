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
import { endAll, statusesOf, untilSettled, WAIT } from './wait.ts';

const database = useDatabase();

describe('workers', () => {
  it('that run concurrently send each delivery once', async () => {
    await using testbed = await makeTestbed(database.url);
    await using receiver = await startReceiver({ '/hook': () => 200 });
    await testbed.subscribe({ url: `${receiver.origin}/hook`, concurrency_limit: 100 });
    const ids = await Promise.all(Array.from({ length: 150 }, () => testbed.emit()));
    await using otherDb = openDatabase({ url: database.url, connections_max: 4 });
    await using _one = startDeliverLoop(testbed.services);
    await using _other = startDeliverLoop({ ...testbed.services, db: otherDb });
    await vi.waitFor(async () => {
      testbed.clock.advance(1);
      expect(new Set(await statusesOf(testbed))).toEqual(new Set(['delivered']));
    }, WAIT);
    const arrived = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(arrived.sort()).toEqual(ids.sort());
  });

  const claimOne = async (testbed: Testbed) => {
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
    const lost = await testbed.emit();
    await claimOne(testbed);
    const next = await testbed.emit();
    await using _loop = startDeliverLoop(testbed.services);
    await vi.waitFor(async () => {
      expect((await statusesOf(testbed)).sort()).toEqual(['delivered', 'pending']);
    }, WAIT);
    testbed.clock.advance(60);
    await untilSettled(testbed, { status: 'delivered' });
    const arrived = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(arrived).toEqual([next, lost]);
  });

  it('whose lease is over record successes, but no failures', async () => {
    await using testbed = await makeTestbed(database.url);
    await testbed.subscribe({ url: 'http://127.0.0.1:1/' });
    await testbed.emit();
    const late = await claimOne(testbed);
    testbed.clock.advance(60);
    await claimOne(testbed);
    const record = createRecorder(testbed.services);
    const [started_at, ended_at] = [testbed.clock.now(), testbed.clock.now()];
    const attemptWith = (status: number) => ({ answer: { status }, started_at, ended_at });
    await record({ delivery: late, attempt: attemptWith(404) });
    expect(await statusesOf(testbed)).toEqual(['pending']);
    await record({ delivery: late, attempt: attemptWith(200) });
    expect(await statusesOf(testbed)).toEqual(['delivered']);
  });

  it('send nothing that their lease may not cover', async () => {
    await using testbed = await makeTestbed(database.url);
    const open: ServerResponse[] = [];
    await using receiver = await startReceiver({
      '/hook': (_nth, response) => void open.push(response),
    });
    await testbed.subscribe({ url: `${receiver.origin}/hook`, concurrency_limit: 1 });
    await testbed.emit();
    await testbed.emit();
    await using _loop = startDeliverLoop(testbed.services);
    await vi.waitFor(() => expect(open).toHaveLength(1), WAIT);
    testbed.clock.advance(55);
    endAll(open);
    await vi.waitFor(async () => {
      expect((await statusesOf(testbed)).sort()).toEqual(['delivered', 'pending']);
    }, WAIT);
    expect(receiver.received).toHaveLength(1);
    testbed.clock.advance(5);
    await vi.waitFor(() => expect(open).toHaveLength(2), WAIT);
    endAll(open.slice(1));
    await untilSettled(testbed, { status: 'delivered', fails_count: '0' });
  });

  it('that stop release unsent deliveries', async () => {
    await using testbed = await makeTestbed(database.url);
    const open: ServerResponse[] = [];
    await using receiver = await startReceiver({
      '/hook': (_nth, response) => void open.push(response),
    });
    await testbed.subscribe({ url: `${receiver.origin}/hook`, concurrency_limit: 1 });
    for (let count = 0; count < 3; count++) await testbed.emit();
    const loop = startDeliverLoop(testbed.services);
    await vi.waitFor(() => expect(open).toHaveLength(1), WAIT);
    const stopped = loop[Symbol.asyncDispose]();
    endAll(open);
    await stopped;
    expect((await statusesOf(testbed)).sort()).toEqual(['delivered', 'pending', 'pending']);
    const due = await testbed.db.query('select id from webhook_deliveries where due_at <= $1', [
      instantText(testbed.clock.now()),
    ]);
    expect(due).toHaveLength(2);
  });
});
