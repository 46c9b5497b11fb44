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
import { endAll, settled, statusesOf, WAIT } from './wait.ts';
import { makeWorld, type World } from './world.ts';

const database = useDatabase();

describe('workers', () => {
  it('that work at the same time send each delivery once', async () => {
    await using world = await makeWorld(database.url);
    await using receiver = await startReceiver({ '/hook': () => 200 });
    await world.subscribe({ url: `${receiver.origin}/hook`, concurrency_limit: 100 });
    const ids = await Promise.all(Array.from({ length: 150 }, () => world.emit()));
    await using otherDb = openDatabase({ url: database.url, connections_max: 4 });
    await using _one = startDeliverLoop(world.services);
    await using _other = startDeliverLoop({ ...world.services, db: otherDb });
    await vi.waitFor(async () => {
      world.clock.advance(1);
      expect(new Set(await statusesOf(world))).toEqual(new Set(['delivered']));
    }, WAIT);
    const arrived = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(arrived.sort()).toEqual(ids.sort());
  });

  const claimOne = async (world: World) => {
    const now = world.clock.now();
    const [row] = await claimDeliveries(world.db, {
      now: instantText(now),
      lease_until: instantText(now + seconds(60)),
      limit: 1,
      rooms: [],
      room: 1,
      merchants: [],
      merchant_room: 1,
    });
    return row as Row;
  };

  it('that die leave their deliveries to others when the lease is over', async () => {
    await using world = await makeWorld(database.url);
    await using receiver = await startReceiver({ '/hook': () => 200 });
    await world.subscribe({ url: `${receiver.origin}/hook` });
    const lost = await world.emit();
    await claimOne(world);
    const next = await world.emit();
    await using _loop = startDeliverLoop(world.services);
    await vi.waitFor(async () => {
      expect((await statusesOf(world)).sort()).toEqual(['delivered', 'pending']);
    }, WAIT);
    world.clock.advance(60);
    await settled(world, { status: 'delivered' });
    const arrived = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(arrived).toEqual([next, lost]);
  });

  it('whose lease is over record what was delivered, but no failure', async () => {
    await using world = await makeWorld(database.url);
    await world.subscribe({ url: 'http://127.0.0.1:1/' });
    await world.emit();
    const late = await claimOne(world);
    world.clock.advance(60);
    await claimOne(world);
    const record = createRecorder(world.services);
    const [started_at, ended_at] = [world.clock.now(), world.clock.now()];
    const attempt = (status: number) => ({ answer: { status }, started_at, ended_at });
    await record({ delivery: late, attempt: attempt(404) });
    expect(await statusesOf(world)).toEqual(['pending']);
    await record({ delivery: late, attempt: attempt(200) });
    expect(await statusesOf(world)).toEqual(['delivered']);
  });

  it('do not begin to send what their lease may not cover', async () => {
    await using world = await makeWorld(database.url);
    const open: ServerResponse[] = [];
    await using receiver = await startReceiver({
      '/hook': (_nth, response) => void open.push(response),
    });
    await world.subscribe({ url: `${receiver.origin}/hook`, concurrency_limit: 1 });
    await world.emit();
    await world.emit();
    await using _loop = startDeliverLoop(world.services);
    await vi.waitFor(() => expect(open).toHaveLength(1), WAIT);
    world.clock.advance(55);
    endAll(open);
    await vi.waitFor(async () => {
      expect((await statusesOf(world)).sort()).toEqual(['delivered', 'pending']);
    }, WAIT);
    expect(receiver.received).toHaveLength(1);
    world.clock.advance(5);
    await vi.waitFor(() => expect(open).toHaveLength(2), WAIT);
    endAll(open.slice(1));
    await settled(world, { status: 'delivered', fails_count: '0' });
  });

  it('that stop give back what they had not begun to send', async () => {
    await using world = await makeWorld(database.url);
    const open: ServerResponse[] = [];
    await using receiver = await startReceiver({
      '/hook': (_nth, response) => void open.push(response),
    });
    await world.subscribe({ url: `${receiver.origin}/hook`, concurrency_limit: 1 });
    for (let count = 0; count < 3; count++) await world.emit();
    const loop = startDeliverLoop(world.services);
    await vi.waitFor(() => expect(open).toHaveLength(1), WAIT);
    const stopped = loop[Symbol.asyncDispose]();
    endAll(open);
    await stopped;
    expect((await statusesOf(world)).sort()).toEqual(['delivered', 'pending', 'pending']);
    const due = await world.db.query('select id from webhook_deliveries where due_at <= $1', [
      instantText(world.clock.now()),
    ]);
    expect(due).toHaveLength(2);
  });
});
