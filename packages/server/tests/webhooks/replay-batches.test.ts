import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { REPLAY_BATCH_MAX, replayDue } from '../../src/features/webhooks/replays/replay-batch.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { insertRows } from '../../src/platform/database/rows.ts';
import { uuidv7 } from '../../src/platform/ids.ts';
import { instantText, microsOf, seconds } from '../../src/platform/time/clock.ts';
import type { Services } from '../../src/services.ts';
import { useDatabase } from '../support/database.ts';
import { makeTestbed, type Testbed } from './testbed.ts';

/** More events than one batch. */
const MANY_EVENTS = REPLAY_BATCH_MAX + 60;
/** Fewer events than one batch. */
const FEW_EVENTS = 60;
/** Every third event was delivered, every fifth of the others is in flight, and the rest was never sent. */
const [THIRD, FIFTH] = [3, 5];

const database = useDatabase();
let testbed: Testbed;
let subscriptionId: string;

beforeEach(async () => {
  testbed = await makeTestbed(database.url);
  subscriptionId = (await testbed.subscribe({ url: 'http://127.0.0.1:1/' })).id;
  return () => testbed[Symbol.asyncDispose]();
});

/** Stores events with their deliveries. Returns counts of delivered, in-flight and replayable ones. */
async function makeEvents(count: number) {
  await testbed.db.query(
    `insert into events (merchant_id, mode, id, resource_type, resource_id, sequence, slug, data, created_at)
     select $1, 'sandbox', uuid7($2), 'consumer.customers', uuid7($2), 1, 'created', '{}',
       $2::timestamptz + n / 10 * interval '1 microsecond'
     from generate_series(1, $3::int) n`,
    [testbed.merchant_id, timeIn(-60), count],
  );
  await testbed.db.query(
    `insert into webhook_deliveries (merchant_id, mode, id, event_id, webhook_subscription_id, status,
       due_at, delivered_at, attempts_count, created_at, updated_at)
     select merchant_id, mode, uuid7(created_at), id, $1,
       case when n % ${THIRD} = 1 then 'delivered' else 'pending' end,
       case when n % ${THIRD} = 1 then null else $2::timestamptz end,
       case when n % ${THIRD} = 1 then created_at end, 1, created_at, created_at
     from (select *, row_number() over (order by created_at, id) as n from events where merchant_id = $3) e
     where n % ${THIRD} = 1 or n % ${FIFTH} = 0`,
    [subscriptionId, timeIn(3_600), testbed.merchant_id],
  );
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const inFlightCount = numbers.filter((n) => n % THIRD !== 1 && n % FIFTH === 0).length;
  const deliveredCount = Math.ceil(count / THIRD);
  return { deliveredCount, inFlightCount, replayableCount: String(count - inFlightCount) };
}

const timeIn = (offset_s: number): string => instantText(testbed.clock.now() + seconds(offset_s));

async function insertReplay(columns: Row = {}): Promise<string> {
  const id = uuidv7(testbed.clock.now());
  const replay = {
    merchant_id: testbed.merchant_id,
    mode: 'sandbox',
    id,
    webhook_subscription_id: subscriptionId,
    status: 'pending',
    dry_run: 'false',
    since: timeIn(-3_600),
    until: timeIn(0),
    matched_count: '0',
    queued_count: '0',
    due_at: timeIn(0),
    created_at: timeIn(0),
    updated_at: timeIn(0),
  };
  await insertRows(testbed.db, testbed.services.catalog, 'webhook_replays', [
    { ...replay, ...columns },
  ]);
  return id;
}

const readReplay = async (id: string): Promise<Row> => {
  const [row] = await testbed.db.query('select * from webhook_replays where id = $1', [id]);
  return row as Row;
};

/** Runs steps as one process until none is due. Returns their number. */
async function runUntilDone(db: Database, stepsMax = 100): Promise<number> {
  let steps = 0;
  for (let step = 0; step < stepsMax; step++) {
    const services = { ...testbed.services, db } as unknown as Services;
    const hasRun = await replayDue(services).catch((error: Error) => error.message === 'killed');
    if (!hasRun) return steps;
    steps++;
  }
  throw new Error('the replay does not come to an end');
}

/** Deliveries by status, with the number of those due now. */
async function readDeliveries(): Promise<Record<string, string>> {
  const rows = await testbed.db.query(
    `select status || case when due_at <= $1 then ' and due' else '' end as standing, count(*) as count
     from webhook_deliveries group by 1`,
    [timeIn(0)],
  );
  return Object.fromEntries(rows.map(({ standing, count }) => [standing, count as string]));
}

describe('a replay', () => {
  it('processes all events in batches, skips deliveries in flight, and repeats nothing if killed at any moment', async () => {
    const { replayableCount, inFlightCount } = await makeEvents(MANY_EVENTS);
    const id = await insertReplay();
    for (let kills = 0; kills < 2; kills++) {
      const replayBefore = await readReplay(id);
      expect(replayBefore.status).toBe('pending');
      const killedDb: Database = {
        ...testbed.db,
        transaction: (work) =>
          testbed.db.transaction(async (tx) => {
            await work(tx);
            throw new Error('killed');
          }),
      };
      await runUntilDone(killedDb, 1).catch(() => {});
      expect(await readReplay(id)).toEqual(replayBefore);
      await replayDue(testbed.services as unknown as Services);
    }
    expect(await runUntilDone(testbed.db)).toBe(0);
    expect(await readReplay(id)).toMatchObject({
      status: 'finished',
      matched_count: replayableCount,
      queued_count: replayableCount,
      due_at: null,
    });
    expect(await readDeliveries()).toEqual({
      'pending and due': replayableCount,
      pending: String(inFlightCount),
    });
    const repeatedEvents = await testbed.db.query(
      'select event_id from webhook_deliveries group by event_id having count(*) > 1',
      [],
    );
    expect(repeatedEvents).toEqual([]);
  });

  it('is run once by concurrent processes, and another of the same events requests no delivery twice', async () => {
    const { replayableCount } = await makeEvents(MANY_EVENTS);
    const ids = [await insertReplay(), await insertReplay()];
    await using otherDb = openDatabase({ url: database.url, connections_max: 4 });
    const steps = await Promise.all(
      [testbed.db, otherDb, testbed.db, otherDb].map((db) => runUntilDone(db)),
    );
    steps.push(await runUntilDone(testbed.db));
    expect(steps.reduce((sum, count) => sum + count, 0)).toBe(4);
    const rows = await Promise.all(ids.map(readReplay));
    const queuedTotal = rows.reduce((sum, { queued_count }) => sum + Number(queued_count), 0);
    expect(rows.map(({ status }) => status)).toEqual(['finished', 'finished']);
    expect(String(queuedTotal)).toBe(replayableCount);
  });

  it('takes turns with others that are due, and ends if its subscription is archived meanwhile', async () => {
    await makeEvents(MANY_EVENTS);
    const ids = [
      await insertReplay(),
      await insertReplay({ resource_id: randomUUID() }),
      await insertReplay(),
    ];
    for (const _ of ids) {
      await replayDue(testbed.services as unknown as Services);
      testbed.clock.advance(0.001);
    }
    const rows = await Promise.all(ids.map(readReplay));
    expect(rows.map(({ status }) => status)).toEqual(['pending', 'finished', 'pending']);
    expect(rows.map(({ cursor_id }) => cursor_id !== null)).toEqual([true, false, true]);

    await testbed.db.query(`update webhook_subscriptions set status = 'archived'`, []);
    await runUntilDone(testbed.db);
    const { status, finished_at, matched_count } = await readReplay(ids[0] as string);
    expect([status, finished_at === null, Number(matched_count) > 0]).toEqual([
      'canceled',
      false,
      true,
    ]);
  });

  it('of delivered events sends no others', async () => {
    const { deliveredCount, inFlightCount } = await makeEvents(FEW_EVENTS);
    const id = await insertReplay({ delivery_statuses: '["delivered"]' });
    await runUntilDone(testbed.db);
    expect(await readReplay(id)).toMatchObject({ queued_count: String(deliveredCount) });
    expect(await readDeliveries()).toEqual({
      'pending and due': String(deliveredCount),
      pending: String(inFlightCount),
    });
  });

  it('of pending events makes them due, except those due soon', async () => {
    const { inFlightCount } = await makeEvents(FEW_EVENTS);
    const ids = [await insertReplay({ delivery_statuses: '["pending"]' })];
    await runUntilDone(testbed.db);
    ids.push(await insertReplay({ delivery_statuses: '["pending"]' }));
    await runUntilDone(testbed.db);
    const counts = (await Promise.all(ids.map(readReplay))).map((row) => [
      Number(row.matched_count),
      Number(row.queued_count),
    ]);
    expect(counts).toEqual([
      [inFlightCount, inFlightCount],
      [inFlightCount, 0],
    ]);
  });

  it('only counts in a dry run', async () => {
    const { replayableCount } = await makeEvents(FEW_EVENTS);
    const deliveriesBefore = await readDeliveries();
    const id = await insertReplay({ dry_run: 'true' });
    await runUntilDone(testbed.db);
    expect(await readReplay(id)).toMatchObject({
      matched_count: replayableCount,
      queued_count: '0',
    });
    expect(await readDeliveries()).toEqual(deliveriesBefore);
  });

  it('keeps the order of each record if its subscription does', async () => {
    const { replayableCount } = await makeEvents(FEW_EVENTS);
    await testbed.db.query(`update webhook_subscriptions set ordering = 'resource'`, []);
    await insertReplay();
    await runUntilDone(testbed.db);
    const [row] = await testbed.db.query(
      `select count(*) from webhook_deliveries d join events e on e.id = d.event_id
       where d.order_key = e.resource_id and d.sequence = e.sequence`,
      [],
    );
    expect(row?.count).toBe(replayableCount);
  });

  /** Inserts deliveries of thousands of events that are older than any replay. */
  async function insertBacklog(due_at: string): Promise<void> {
    await testbed.db.query(
      `insert into events (merchant_id, mode, id, resource_type, resource_id, sequence, slug, data, created_at)
       select $1, 'sandbox', uuid7($2), 'consumer.customers', uuid7($2), 1, 'created', '{}', $2
       from generate_series(1, 2000)`,
      [testbed.merchant_id, timeIn(-7_200)],
    );
    await testbed.db.query(
      `insert into webhook_deliveries (merchant_id, mode, id, event_id, webhook_subscription_id, status,
         due_at, created_at, updated_at)
       select merchant_id, mode, uuid7(created_at), id, $1, 'pending', $2, $2, $2 from events
       where created_at < $3 and merchant_id = $4`,
      [subscriptionId, due_at, timeIn(-3_600), testbed.merchant_id],
    );
  }

  it('waits with growing pauses, unchanged, while thousands of later deliveries are due, not for earlier ones', async () => {
    await insertBacklog(timeIn(-1));
    const earlierId = await insertReplay();
    await runUntilDone(testbed.db);
    expect(await readReplay(earlierId)).toMatchObject({ status: 'finished' });

    await testbed.db.query('update webhook_deliveries set due_at = $1', [timeIn(0)]);
    const id = await insertReplay();
    expect(await runUntilDone(testbed.db)).toBe(1);
    const replayBefore = await readReplay(id);
    expect(replayBefore).toMatchObject({ status: 'pending', matched_count: '0' });
    const waitSeconds: number[] = [];
    for (let polls = 0; polls < 9; polls++) {
      const { due_at, ...columns } = await readReplay(id);
      expect({ ...columns, due_at: replayBefore.due_at }).toEqual(replayBefore);
      const waitMicros = microsOf(due_at as string) - testbed.clock.now();
      waitSeconds.push(waitMicros / seconds(1));
      testbed.clock.advance(waitMicros / seconds(1));
      expect(await runUntilDone(testbed.db)).toBe(1);
    }
    expect(waitSeconds).toEqual([0.5, 0.5, 1, 2, 4, 8, 16, 30, 30]);
    await testbed.db.query(`update webhook_deliveries set due_at = null, status = 'delivered'`, []);
    testbed.clock.advance(30);
    await runUntilDone(testbed.db);
    expect(await readReplay(id)).toMatchObject({ status: 'finished' });
  });

  it('whose steps fail does not block others, and continues once they succeed', async () => {
    await makeEvents(FEW_EVENTS);
    const failingId = await insertReplay({ events: '1', due_at: timeIn(-1) });
    const healthyId = await insertReplay();
    await expect(replayDue(testbed.services as unknown as Services)).rejects.toThrow();
    await runUntilDone(testbed.db);
    expect((await readReplay(healthyId)).status).toBe('finished');
    await testbed.db.query('update webhook_replays set events = null', []);
    testbed.clock.advance(5);
    await runUntilDone(testbed.db);
    expect((await readReplay(failingId)).status).toBe('finished');
  });
});
