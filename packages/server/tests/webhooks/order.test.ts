import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { startDeliverLoop } from '../../src/features/webhooks/workers/deliver.ts';
import { openDatabase } from '../../src/platform/database/db.ts';
import { useDatabase } from '../support/database.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { makeTestbed, type Testbed } from './testbed.ts';
import { WAIT, waitForDeliveries } from './wait.ts';

const database = useDatabase();

interface EventDocument {
  readonly id: string;
  readonly attributes: { readonly resource_id: string };
}

const eventsOf = (receiver: Receiver): EventDocument[] =>
  receiver.requests.map(({ body }) => (JSON.parse(body) as { data: EventDocument }).data);

const arrivedIdsAt = (receiver: Receiver) => eventsOf(receiver).map(({ id }) => id);

async function emitEvents(testbed: Testbed, record: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) ids.push(await testbed.emit('sandbox', record));
  return ids;
}

describe('with the ordering of a resource', () => {
  it('the events of a record are sent one after another, in order, by several workers', async () => {
    await using testbed = await makeTestbed(database.url);
    await using receiver = await startReceiver({ '/hook': () => 200 });
    await testbed.subscribe({ url: `${receiver.origin}/hook`, ordering: 'resource' });
    const records = Array.from({ length: 4 }, () => randomUUID());
    await using otherDb = openDatabase({ url: database.url, connections_max: 4 });
    await using _loop = startDeliverLoop(testbed.services);
    await using _otherLoop = startDeliverLoop({ ...testbed.services, db: otherDb });
    const emittedIds = await Promise.all(records.map((record) => emitEvents(testbed, record, 8)));
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(32), WAIT);
    await waitForDeliveries(testbed, { status: 'delivered', attempts_count: '1' });
    const eventsByRecord = Map.groupBy(
      eventsOf(receiver),
      ({ attributes }) => attributes.resource_id,
    );
    expect(records.map((record) => eventsByRecord.get(record)?.map(({ id }) => id))).toEqual(
      emittedIds,
    );
  });

  it('a retry blocks the later events of its record, and no other record', async () => {
    await using testbed = await makeTestbed(database.url);
    await using receiver = await startReceiver({ '/hook': (nth) => (nth === 0 ? 503 : 200) });
    await testbed.subscribe({ url: `${receiver.origin}/hook`, ordering: 'resource' });
    const record = randomUUID();
    const [firstId, secondId, thirdId] = await emitEvents(testbed, record, 3);
    await using _loop = startDeliverLoop(testbed.services);
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(1), WAIT);
    const otherId = await testbed.emit();
    testbed.services.wake.deliver.raise();
    await vi.waitFor(() => expect(arrivedIdsAt(receiver)).toEqual([firstId, otherId]), WAIT);
    testbed.clock.advance(10);
    await waitForDeliveries(testbed, { status: 'delivered' });
    expect(arrivedIdsAt(receiver)).toEqual([firstId, otherId, firstId, secondId, thirdId]);
  });

  it.each([
    [404, 1],
    [500, 6],
  ])(
    'a delivery that is given up with %i, after %i attempts, unblocks the next one',
    async (status, attempts) => {
      await using testbed = await makeTestbed(database.url, 0);
      await using receiver = await startReceiver({
        '/hook': (nth) => (nth < attempts ? status : 200),
      });
      await testbed.subscribe({ url: `${receiver.origin}/hook`, ordering: 'resource' });
      const [firstId, secondId] = await emitEvents(testbed, randomUUID(), 2);
      await using _loop = startDeliverLoop(testbed.services);
      await vi.waitFor(async () => {
        testbed.clock.advance(1);
        expect((await testbed.readDeliveries()).some((row) => row.status === 'pending')).toBe(
          false,
        );
      }, WAIT);
      expect(arrivedIdsAt(receiver)).toEqual([...Array(attempts).fill(firstId), secondId]);
    },
  );

  it('a worker that crashes with a message in flight leaves its deliveries to others, in order', async () => {
    await using testbed = await makeTestbed(database.url);
    const hangingResponses: ServerResponse[] = [];
    await using receiver = await startReceiver({
      '/hook': (nth, response) => (nth === 0 ? void hangingResponses.push(response) : 200),
    });
    await testbed.subscribe({ url: `${receiver.origin}/hook`, ordering: 'resource' });
    const ids = await emitEvents(testbed, randomUUID(), 3);
    // A claim without a worker, as a killed process leaves it.
    await testbed.db.query(
      `update webhook_deliveries set due_at = due_at + interval '60 s' where sequence = 1`,
      [],
    );
    await using _loop = startDeliverLoop(testbed.services);
    await vi.waitFor(async () => {
      const blockedDeliveries = (await testbed.readDeliveries()).filter(
        (row) => row.held_back === 't',
      );
      expect(blockedDeliveries).toHaveLength(2);
    }, WAIT);
    expect(receiver.requests).toEqual([]);
    testbed.clock.advance(60);
    await vi.waitFor(() => expect(hangingResponses).toHaveLength(1), WAIT);
    hangingResponses[0]?.writeHead(200).end();
    await waitForDeliveries(testbed, { status: 'delivered', attempts_count: '1' });
    expect(arrivedIdsAt(receiver)).toEqual(ids);
  });
});
