import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createEventPruner } from '../../src/features/webhooks/prune-events.ts';
import {
  allowPruning,
  deleteDeliveries,
  deleteEvents,
  lockEndedDeliveries,
  storeSequences,
} from '../../src/features/webhooks/sql/event-pruning.ts';
import type { Db } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { keyOf, type RowKey } from '../../src/platform/database/row-key.ts';
import { useDatabase } from '../support/database.ts';
import { makeTestbed, type Testbed } from './testbed.ts';

const RETENTION_DAYS = 400;
const DAY = 86_400;
const LIMIT = 1_000;
const database = useDatabase();

const prunerOf = ({ db, clock }: Testbed, merchants_max?: number) =>
  createEventPruner({ db, clock, config: { event_retention_days: RETENTION_DAYS } }, merchants_max);

/** A merchant with a subscription, in a database without other old events. */
async function makePrunable(): Promise<Testbed> {
  const testbed = await makeTestbed(database.url);
  await prunerOf({ ...testbed, clock: { ...testbed.clock, now: () => 4e15 } }).prune(LIMIT);
  await testbed.subscribe({ url: 'https://shop.example/hook' });
  return testbed;
}

/** Deletes events in the transaction of another server. Returns them. */
async function deleteWithDeliveries(tx: Db, events: readonly RowKey[]): Promise<Row[]> {
  await allowPruning(tx);
  await deleteDeliveries(tx, (await lockEndedDeliveries(tx, events)).map(keyOf));
  return deleteEvents(tx, events);
}

const endDeliveries = ({ db }: Testbed): Promise<unknown> =>
  db.query(
    `update webhook_deliveries set status = 'delivered', due_at = null, delivered_at = updated_at`,
    [],
  );

const readEvents = async ({ db, merchant_id }: Testbed): Promise<string[]> =>
  (
    await db.query('select id from events where merchant_id = $1 order by created_at, id', [
      merchant_id,
    ])
  ).map(({ id }) => id as string);

const readSequences = ({ db, merchant_id }: Testbed, resource_id: string): Promise<Row[]> =>
  db.query(
    'select sequence from events where merchant_id = $1 and resource_id = $2 order by sequence',
    [merchant_id, resource_id],
  );

it('ended events go after their retention, in slices, with their deliveries and attempts', async () => {
  await using testbed = await makePrunable();
  const { db, clock, merchant_id } = testbed;
  for (let count = 0; count < 3; count += 1) await testbed.emit();
  // Later, since events of one instant have no order.
  clock.advance(1);
  await endDeliveries(testbed);
  await db.query(
    `insert into webhook_delivery_attempts (merchant_id, mode, id, webhook_delivery_id, number, duration_ms, created_at)
     select merchant_id, mode, gen_random_uuid(), id, 1, 1, created_at from webhook_deliveries`,
    [],
  );
  const pendingEvent = await testbed.emit();
  const pruner = prunerOf(testbed);
  clock.advance((RETENTION_DAYS - 1) * DAY);
  expect(await pruner.prune(LIMIT)).toBe(0);
  const newEvent = await testbed.emit();
  clock.advance(2 * DAY);
  expect([await pruner.prune(2), await pruner.prune(2)]).toEqual([2, 1]);
  expect(await readEvents(testbed)).toEqual([pendingEvent, newEvent]);
  expect((await testbed.readDeliveries()).map(({ event_id }) => event_id)).toEqual([
    pendingEvent,
    newEvent,
  ]);
  expect(await db.query('select id from webhook_delivery_attempts', [])).toEqual([]);
  await expect(
    db.transaction((tx) => tx.query('delete from events where merchant_id = $1', [merchant_id])),
  ).rejects.toThrow('rows of events are never changed');
});

it('an event stays for thirty days after one of its deliveries was sent again', async () => {
  await using testbed = await makePrunable();
  const event = await testbed.emit();
  testbed.clock.advance((RETENTION_DAYS + 1) * DAY);
  await testbed.db.query(
    `update webhook_deliveries set status = 'delivered', due_at = null, updated_at = $1::timestamptz + $2 * interval '1 day'`,
    ['now', RETENTION_DAYS],
  );
  const pruner = prunerOf(testbed);
  expect([await pruner.prune(LIMIT), await readEvents(testbed)]).toEqual([0, [event]]);
  testbed.clock.advance(30 * DAY);
  expect([await pruner.prune(LIMIT), await readEvents(testbed)]).toEqual([1, []]);
});

it('events of a record continue its sequence after all earlier ones were pruned', async () => {
  await using testbed = await makePrunable();
  const [record, other] = [randomUUID(), randomUUID()];
  for (const resource_id of [record, record, other]) await testbed.emit('sandbox', resource_id);
  await endDeliveries(testbed);
  const pruner = prunerOf(testbed);
  testbed.clock.advance((RETENTION_DAYS + 1) * DAY);
  await testbed.emit('sandbox', other);
  expect(await pruner.prune(LIMIT)).toBe(3);
  await testbed.emit('sandbox', record);
  await endDeliveries(testbed);
  expect(await readSequences(testbed, record)).toEqual([{ sequence: '3' }]);
  expect(await readSequences(testbed, other)).toEqual([{ sequence: '2' }]);
  testbed.clock.advance((RETENTION_DAYS + 1) * DAY);
  expect(await pruner.prune(LIMIT)).toBe(2);
  await testbed.emit('sandbox', record);
  expect(await readSequences(testbed, record)).toEqual([{ sequence: '4' }]);
});

it('a number is not used again while an older event of the record is left', async () => {
  await using testbed = await makePrunable();
  const record = randomUUID();
  await testbed.emit('sandbox', record);
  testbed.clock.advance(1);
  const newest = await testbed.emit('sandbox', record);
  await testbed.db.query(
    `update webhook_deliveries set status = 'delivered', due_at = null where event_id = $1`,
    [newest],
  );
  testbed.clock.advance((RETENTION_DAYS + 1) * DAY);
  expect(await prunerOf(testbed).prune(LIMIT)).toBe(1);
  await testbed.emit('sandbox', record);
  expect(await readSequences(testbed, record)).toEqual([{ sequence: '1' }, { sequence: '3' }]);
});

it('a number is not used again after two servers have pruned a record together', async () => {
  await using testbed = await makePrunable();
  const record = randomUUID();
  const older = await testbed.emit('sandbox', record);
  testbed.clock.advance(1);
  await testbed.emit('sandbox', record);
  await endDeliveries(testbed);
  testbed.clock.advance((RETENTION_DAYS + 1) * DAY);
  const { db, merchant_id } = testbed;
  await db.transaction(async (tx) => {
    const deleted = await deleteWithDeliveries(tx, [{ merchant_id, id: older }]);
    expect(await prunerOf(testbed).prune(LIMIT)).toBe(1);
    await storeSequences(tx, deleted);
  });
  await testbed.emit('sandbox', record);
  expect(await readSequences(testbed, record)).toEqual([{ sequence: '3' }]);
});

it('a slice that fails is tried again with half of its events', async () => {
  await using testbed = await makePrunable();
  for (let count = 0; count < 4; count += 1) await testbed.emit();
  await endDeliveries(testbed);
  testbed.clock.advance((RETENTION_DAYS + 1) * DAY);
  let failures = 1;
  const transaction: typeof testbed.db.transaction = (...given) =>
    failures-- > 0
      ? Promise.reject(new Error('statement timeout'))
      : testbed.db.transaction(...given);
  const pruner = prunerOf({ ...testbed, db: { ...testbed.db, transaction } });
  await expect(pruner.prune(4)).rejects.toThrow('statement timeout');
  expect(pruner.wasFull()).toBe(false);
  expect([await pruner.prune(4), pruner.wasFull()]).toEqual([2, true]);
  expect([await pruner.prune(4), pruner.wasFull()]).toEqual([2, false]);
});

it('merchants take turns', async () => {
  await using testbed = await makePrunable();
  await testbed.emit();
  await endDeliveries(testbed);
  testbed.clock.advance((RETENTION_DAYS + 1) * DAY);
  const [row] = await testbed.db.query('select count(*) from merchants', []);
  const pruner = prunerOf(testbed, 1);
  const counts: number[] = [];
  for (let turns = 0; turns < Number(row?.count); turns += 1)
    counts.push(await pruner.prune(LIMIT));
  expect(counts.toSorted().slice(-2)).toEqual([0, 1]);
  await testbed.emit();
  await endDeliveries(testbed);
  testbed.clock.advance((RETENTION_DAYS + 31) * DAY);
  counts.length = 0;
  for (let turns = 0; turns <= Number(row?.count); turns += 1)
    counts.push(await pruner.prune(LIMIT));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
});
