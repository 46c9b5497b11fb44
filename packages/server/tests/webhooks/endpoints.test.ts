import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { FAILS_IN_ROW_MAX, UNTAKEN_MIN } from '../../src/features/webhooks/breaker.ts';
import { dispatchOf } from '../../src/features/webhooks/dispatch.ts';
import { loadParcels } from '../../src/features/webhooks/load.ts';
import { claimDeliveries } from '../../src/features/webhooks/sql/claims.ts';
import { startDeliverLoop } from '../../src/features/webhooks/workers/deliver.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { instantText, seconds } from '../../src/platform/time/clock.ts';
import { useDatabase } from '../support/database.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { settled, WAIT } from './wait.ts';
import { makeWorld, type World } from './world.ts';

const database = useDatabase();

const subscriptionOf = async (world: World): Promise<Row> =>
  (await world.db.query('select * from webhook_subscriptions', []))[0] as Row;

/** Number of deliveries by attempts. */
const attemptsOf = async (world: World): Promise<Record<string, number>> => {
  const rows = await world.deliveries();
  return Object.fromEntries(
    [...Map.groupBy(rows, (row) => row.attempts_count as string)].map(([n, all]) => [
      n,
      all.length,
    ]),
  );
};

/** Lets an endpoint fail until it is suspended. */
async function suspend(world: World, receiver: Receiver): Promise<void> {
  for (let count = 0; count < FAILS_IN_ROW_MAX; count++) await world.emit();
  world.services.wake.deliver.raise();
  await vi.waitFor(async () => {
    expect((await subscriptionOf(world)).suspended_until).not.toBeNull();
  }, WAIT);
  expect(receiver.received).toHaveLength(FAILS_IN_ROW_MAX);
}

/** Lets the work loop poll some times. */
const looked = async (world: World): Promise<void> => {
  for (let round = 0; round < 5; round++) {
    world.services.wake.deliver.raise();
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
};

describe('an endpoint that fails', () => {
  it('is left alone by new deliveries, while those that were tried keep to their schedule', async () => {
    await using world = await makeWorld(database.url);
    await using receiver = await startReceiver({ '/hook': () => 500 });
    await world.subscribe({ url: `${receiver.origin}/hook` });
    await using _loop = startDeliverLoop(world.services);
    await suspend(world, receiver);
    const { created_at, updated_at } = await subscriptionOf(world);
    expect(updated_at).toBe(created_at);
    for (let count = 0; count < 20; count++) await world.emit();
    await looked(world);
    expect(await attemptsOf(world)).toEqual({ 0: 20, 1: FAILS_IN_ROW_MAX });
    world.clock.advance(10);
    await vi.waitFor(async () => {
      expect(await attemptsOf(world)).toEqual({ 0: 20, 2: FAILS_IN_ROW_MAX });
    }, WAIT);
    const waiting = (await world.deliveries()).filter((row) => row.attempts_count === '0');
    expect(waiting.filter((row) => row.due_at !== row.created_at)).toEqual([]);
    const tried = (await world.deliveries()).filter((row) => row.attempts_count === '2');
    const dues = tried.map((row) => Date.parse(row.due_at as string) * 1_000 - world.clock.now());
    expect(new Set(dues)).toEqual(new Set([seconds(300)]));
  });

  it('is asked by one delivery when its time is over, and left alone for longer', async () => {
    await using world = await makeWorld(database.url);
    await using receiver = await startReceiver({ '/hook': () => 500 });
    await world.subscribe({ url: `${receiver.origin}/hook` });
    await using _one = startDeliverLoop(world.services);
    await using _other = startDeliverLoop(world.services);
    await suspend(world, receiver);
    await world.db.query(`update webhook_deliveries set due_at = due_at + interval '1 day'`, []);
    for (let count = 0; count < 20; count++) await world.emit();
    world.clock.advance(30);
    await vi.waitFor(async () => {
      expect((await attemptsOf(world))[0]).toBe(19);
    }, WAIT);
    await looked(world);
    expect(await attemptsOf(world)).toEqual({ 0: 19, 1: FAILS_IN_ROW_MAX + 1 });
    const { suspended_until } = await subscriptionOf(world);
    expect(Date.parse(suspended_until as string) * 1_000).toBeGreaterThan(
      world.clock.now() + seconds(59),
    );
  });

  it('is asked by one of several processes that see at once that its time is over', async () => {
    await using world = await makeWorld(database.url);
    await world.subscribe({ url: 'http://127.0.0.1:1/' });
    const now = instantText(world.clock.now());
    await world.db.query(
      `update webhook_subscriptions set failing_since = $1, fails_in_row = 7, suspended_until = $1`,
      [now],
    );
    for (let count = 0; count < 4; count++) await world.emit();
    const lease_until = instantText(world.clock.now() + seconds(60));
    const rooms = { rooms: [], room: 10, merchants: [], merchant_room: 10 };
    const claim = { now, lease_until, limit: 10, ...rooms };
    const claimed = [
      await claimDeliveries(world.db, claim),
      await claimDeliveries(world.db, claim),
    ];
    expect(claimed.map((rows) => rows.length)).toEqual([1, 1]);
    const parcels = await Promise.all(claimed.map((rows) => loadParcels(world.db, rows)));
    const dispatches = await Promise.all(parcels.map((each) => dispatchOf(world.services, each)));
    expect(dispatches.map(({ send }) => send.length).sort()).toEqual([0, 1]);
    expect(dispatches.flatMap(({ keep }) => keep.map(({ change }) => change))).toEqual([
      { set: { due_at: now } },
    ]);
    expect(await claimDeliveries(world.db, claim)).toEqual([]);
  });

  it('gets all that waited once a probe was taken', async () => {
    await using world = await makeWorld(database.url);
    await using receiver = await startReceiver({
      '/hook': (nth) => (nth < FAILS_IN_ROW_MAX ? 503 : 200),
    });
    await world.subscribe({ url: `${receiver.origin}/hook` });
    await using _loop = startDeliverLoop(world.services);
    await suspend(world, receiver);
    for (let count = 0; count < 20; count++) await world.emit();
    world.clock.advance(30);
    await settled(world, { status: 'delivered' });
    expect(await subscriptionOf(world)).toMatchObject({
      failing_since: null,
      fails_in_row: '0',
      suspended_until: null,
    });
  });

  it('whose probe dies with its process is asked again', async () => {
    await using world = await makeWorld(database.url);
    await using receiver = await startReceiver({ '/hook': () => 200 });
    await world.subscribe({ url: `${receiver.origin}/hook` });
    await world.db.query(
      `update webhook_subscriptions set failing_since = $1, fails_in_row = 7, suspended_until = $2`,
      ['2020-01-01', new Date(world.clock.now() / 1_000 + 20_000).toISOString()],
    );
    for (let count = 0; count < 3; count++) await world.emit();
    await using _loop = startDeliverLoop(world.services);
    await looked(world);
    expect(receiver.received).toEqual([]);
    world.clock.advance(20);
    await settled(world, { status: 'delivered', attempts_count: '1' });
  });

  it('is paused after five days without a delivery, with one alert, and keeps what is pending', async () => {
    await using world = await makeWorld(database.url);
    let up = false;
    await using receiver = await startReceiver({ '/hook': () => (up ? 200 : 500) });
    const { id } = await world.subscribe({ url: `${receiver.origin}/hook` });
    await world.emit();
    await using _loop = startDeliverLoop(world.services);
    await settled(world, { attempts_count: '1' });
    const { failing_since } = await subscriptionOf(world);
    await world.db.query('update webhook_subscriptions set untaken_count = $1', [UNTAKEN_MIN - 1]);
    world.clock.advance(120 * 3_600);
    for (let count = 0; count < 3; count++) await world.emit();
    world.services.wake.deliver.raise();
    await vi.waitFor(async () => {
      expect(await subscriptionOf(world)).toMatchObject({
        status: 'paused',
        paused_reason: 'failing',
        failing_since,
      });
    }, WAIT);
    const alerts = await world.db.query('select * from account_alerts', []);
    const { host } = new URL(receiver.origin);
    expect(alerts).toEqual([
      expect.objectContaining({
        merchant_id: world.merchant_id,
        status: 'pending',
        code: 'webhook_subscription_paused',
        message: expect.stringContaining(host),
        webhook_subscription_id: id,
      }),
    ]);
    expect(alerts[0]?.message).toContain(
      new Date(failing_since as string).toISOString().slice(0, 10),
    );
    await vi.waitFor(async () => {
      const rows = await world.deliveries();
      expect(rows.every(({ status }) => status === 'pending')).toBe(true);
    }, WAIT);
    up = true;
    await world.db.query(
      `update webhook_subscriptions set status = 'active', failing_since = null, untaken_count = 0, fails_in_row = 0,
         suspended_until = null, paused_reason = null`,
      [],
    );
    world.clock.advance(300);
    await settled(world, { status: 'delivered' });
  });
});

describe('ten endpoints of which nine hang', () => {
  it('do not keep the tenth from its deliveries, however many the others have', async () => {
    await using world = await makeWorld(database.url);
    const hanging: ServerResponse[] = [];
    const hang = (_nth: number, response: ServerResponse) => void hanging.push(response);
    const names = Array.from({ length: 9 }, (_, at) => `/hang${at}`);
    await using receiver = await startReceiver({
      ...Object.fromEntries(names.map((name) => [name, hang])),
      '/hook': () => 204,
    });
    for (const name of names) await world.subscribe({ url: `${receiver.origin}${name}` });
    for (let count = 0; count < 40; count++) await world.emit();
    await world.subscribe({ url: `${receiver.origin}/hook` });
    await using _loop = startDeliverLoop(world.services);
    await vi.waitFor(() => expect(hanging).toHaveLength(9 * 8), WAIT);
    const emitted = new Set<string>();
    for (let count = 0; count < 100; count++) emitted.add(await world.emit());
    world.services.wake.deliver.raise();
    await vi.waitFor(() => expect(receiver.to('/hook')).toHaveLength(100), WAIT);
    expect(new Set(receiver.to('/hook').map(({ headers }) => headers['webhook-id']))).toEqual(
      emitted,
    );
    expect(hanging).toHaveLength(9 * 8);
    for (const response of hanging) response.destroy();
  });
});
