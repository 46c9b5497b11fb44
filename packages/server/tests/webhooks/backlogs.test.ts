import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { claimDeliveries } from '../../src/features/webhooks/sql/claims.ts';
import {
  createPausedStopper,
  type PausedStopper,
  RETENTION_DAYS,
  stopOfArchived,
} from '../../src/features/webhooks/stop.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { instantText, seconds } from '../../src/platform/time/clock.ts';
import { useDatabase } from '../support/database.ts';
import { makeTestbed, type Testbed } from './testbed.ts';

const database = useDatabase();
let testbed: Testbed;
beforeEach(async () => {
  testbed = await makeTestbed(database.url);
  return () => testbed[Symbol.asyncDispose]();
});

const timeIn = (offset_s: number): string => instantText(testbed.clock.now() + seconds(offset_s));

/** Gives a new subscription due deliveries, a microsecond apart. */
async function subscribeWithBacklog(
  backlog: readonly (readonly [count: number, offset_s: number])[],
) {
  const { id } = await testbed.subscribe({ url: `http://127.0.0.1:1/${randomUUID()}` });
  for (const [count, offset_s] of backlog) {
    await testbed.db.query(
      `with facts as (
         insert into events (merchant_id, mode, id, resource_type, resource_id, sequence, slug, data, created_at)
         select $1, 'sandbox', uuid7($2), 'consumer.customers', uuid7($2), 1, 'created', '{}', $2
         from generate_series(1, $3::int) returning *)
       insert into webhook_deliveries (merchant_id, mode, id, event_id, webhook_subscription_id, status,
         due_at, schedule_step, created_at, updated_at)
       select merchant_id, mode, uuid7($2), id, $4, 'pending',
         $5::timestamptz + row_number() over () * interval '1 microsecond', ($5 > $2)::int, $2, $2 from facts`,
      [testbed.merchant_id, timeIn(0), count, id, timeIn(offset_s)],
    );
  }
  return id;
}

const setStatus = (id: string, status: string): Promise<unknown> =>
  testbed.db.query('update webhook_subscriptions set status = $2 where id = $1', [id, status]);

/** Counts of a subscription's deliveries by status and reason. */
async function countDeliveries(id: string): Promise<Record<string, number>> {
  const rows = await testbed.db.query(
    `select concat_ws(' ', status, last_error) as standing, count(*) as count
     from webhook_deliveries where webhook_subscription_id = $1 group by 1`,
    [id],
  );
  return Object.fromEntries(rows.map(({ standing, count }) => [standing, Number(count)]));
}

/** The database, where statements about one subscription take too long. */
function failingFor(id: string): Testbed['db'] {
  const failing = (db: Db): Db => ({
    ...db,
    query: (sql, values, ...rest) =>
      values?.includes(id)
        ? Promise.reject(new Error('canceling statement due to statement timeout'))
        : db.query(sql, values, ...rest),
  });
  const { db } = testbed;
  return {
    ...db,
    transaction: (work, ...rest) => db.transaction((tx) => work(failing(tx)), ...rest),
  };
}

/** Stops until no paused subscription has more. Returns the number of steps. */
async function stopAll(stopper: PausedStopper, limit: number): Promise<number> {
  let steps = 0;
  do {
    await stopper.stop(limit);
    steps += 1;
  } while (stopper.hasMore());
  return steps;
}

describe('the backlog of a subscription', () => {
  it('that is archived is stopped immediately, retries too, except for deliveries in flight', async () => {
    const otherId = await subscribeWithBacklog([[3, 0]]);
    const id = await subscribeWithBacklog([
      [50, -10],
      [3, 60],
      [7, 7_200],
    ]);
    await setStatus(id, 'archived');
    const counts: number[] = [];
    for (let steps = 0; steps < 4; steps++) counts.push(await stopOfArchived(testbed.services, 40));
    expect(counts.toSorted((a, b) => b - a)).toEqual([40, 17, 0, 0]);
    expect(await countDeliveries(id)).toEqual({ 'stopped subscription_archived': 57, pending: 3 });
    expect(await countDeliveries(otherId)).toEqual({ pending: 3 });
    testbed.clock.advance(61);
    expect(await stopOfArchived(testbed.services, 40)).toBe(3);
  });

  it('that is paused keeps its newest deliveries, for a month and up to a limit', async () => {
    const beyondRetention_s = -(RETENTION_DAYS * 86_400) - 1;
    const [pausedId, fullId, activeId] = [
      await subscribeWithBacklog([
        [4, beyondRetention_s],
        [5, -10],
      ]),
      await subscribeWithBacklog([
        [12, -20],
        [6, -10],
      ]),
      await subscribeWithBacklog([[9, beyondRetention_s]]),
    ];
    for (const id of [pausedId, fullId]) await setStatus(id, 'paused');
    await stopAll(createPausedStopper(testbed.services, 8), 3);
    expect(await countDeliveries(pausedId)).toEqual({
      'stopped subscription_paused': 4,
      pending: 5,
    });
    expect(await countDeliveries(fullId)).toEqual({
      'stopped subscription_paused': 10,
      pending: 8,
    });
    expect(await countDeliveries(activeId)).toEqual({ pending: 9 });
    const alerts = await testbed.db.query(
      'select webhook_subscription_id, code, status from account_alerts',
      [],
    );
    const alert = { code: 'webhook_backlog_stopped', status: 'pending' };
    expect(alerts).toHaveLength(2);
    for (const webhook_subscription_id of [pausedId, fullId])
      expect(alerts).toContainEqual({ webhook_subscription_id, ...alert });
    const [keptRow] = await testbed.db.query(
      `select count(*) as count from webhook_deliveries
       where webhook_subscription_id = $1 and status = 'pending' and due_at > $2`,
      [fullId, timeIn(-15)],
    );
    expect(keptRow?.count).toBe('6');
  });

  it('that is paused is stopped in a statement of its own, so that a slow one delays no other', async () => {
    const ids: string[] = [];
    for (let hooks = 0; hooks < 3; hooks++) ids.push(await subscribeWithBacklog([[5, -10]]));
    for (const id of ids) await setStatus(id, 'paused');
    const [firstId, slowId, lastId] = ids.toSorted() as [string, string, string];
    const stopper = createPausedStopper({ ...testbed.services, db: failingFor(slowId) }, 2);
    await stopper.stop(10);
    await expect(stopper.stop(10)).rejects.toThrow('canceling statement');
    await stopper.stop(10);
    expect(stopper.hasMore()).toBe(false);
    const stopped = { 'stopped subscription_paused': 3, pending: 2 };
    expect(await countDeliveries(firstId)).toEqual(stopped);
    expect(await countDeliveries(slowId)).toEqual({ pending: 5 });
    expect(await countDeliveries(lastId)).toEqual(stopped);
  });

  it('that is paused takes turns with others, a batch each', async () => {
    const ids = [await subscribeWithBacklog([[9, -10]]), await subscribeWithBacklog([[9, -10]])];
    for (const id of ids) await setStatus(id, 'paused');
    const stopper = createPausedStopper(testbed.services, 0);
    for (const id of ids.toSorted()) {
      await stopper.stop(4);
      expect(await countDeliveries(id)).toEqual({ 'stopped subscription_paused': 4, pending: 5 });
    }
    expect(await stopAll(stopper, 4)).toBe(4);
    for (const id of ids)
      expect(await countDeliveries(id)).toEqual({ 'stopped subscription_paused': 9 });
  });
});

describe('a claim', () => {
  const claim = (limits: { merchant_limits: { merchant_id: string; max: number }[] }) =>
    claimDeliveries(testbed.db, {
      now: timeIn(1),
      lease_until: timeIn(60),
      limit: 100,
      queue_limits: [],
      queue_limit: 10,
      merchant_limit: 25,
      ...limits,
    });

  it("takes at most a merchant's limit across its many subscriptions", async () => {
    for (let hooks = 0; hooks < 5; hooks++) await subscribeWithBacklog([[10, 0]]);
    expect(await claim({ merchant_limits: [] })).toHaveLength(25);
    const { merchant_id } = testbed;
    expect(await claim({ merchant_limits: [{ merchant_id, max: 4 }] })).toHaveLength(4);
    expect(await claim({ merchant_limits: [{ merchant_id, max: 0 }] })).toEqual([]);
  });
});
