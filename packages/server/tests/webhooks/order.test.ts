import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { startDeliverLoop } from '../../src/features/webhooks/workers/deliver.ts';
import { openDatabase } from '../../src/platform/database/db.ts';
import { useDatabase } from '../support/database.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { makeTestbed, type Testbed } from './testbed.ts';
import { untilSettled, WAIT } from './wait.ts';

const database = useDatabase();

interface Told {
  readonly id: string;
  readonly attributes: { readonly resource_id: string };
}

const eventsOf = (receiver: Receiver): Told[] =>
  receiver.received.map(({ body }) => (JSON.parse(body) as { data: Told }).data);

const arrivedIds = (receiver: Receiver) => eventsOf(receiver).map(({ id }) => id);

async function emitSome(testbed: Testbed, record: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++) ids.push(await testbed.emit('sandbox', record));
  return ids;
}

describe('with the ordering of a resource', () => {
  it('the events of a record are sent one after another, in order, by several workers', async () => {
    await using testbed = await makeTestbed(database.url);
    await using receiver = await startReceiver({ '/hook': () => 200 });
    await testbed.subscribe({ url: `${receiver.origin}/hook`, ordering: 'resource' });
    const records = Array.from({ length: 4 }, () => randomUUID());
    await using otherDb = openDatabase({ url: database.url, connections_max: 4 });
    await using _one = startDeliverLoop(testbed.services);
    await using _other = startDeliverLoop({ ...testbed.services, db: otherDb });
    const sent = await Promise.all(records.map((record) => emitSome(testbed, record, 8)));
    await vi.waitFor(() => expect(receiver.received).toHaveLength(32), WAIT);
    await untilSettled(testbed, { status: 'delivered', attempts_count: '1' });
    const byRecord = Map.groupBy(eventsOf(receiver), ({ attributes }) => attributes.resource_id);
    expect(records.map((record) => byRecord.get(record)?.map(({ id }) => id))).toEqual(sent);
  });

  it('a retry blocks those after it, and no other record', async () => {
    await using testbed = await makeTestbed(database.url);
    await using receiver = await startReceiver({ '/hook': (nth) => (nth === 0 ? 503 : 200) });
    await testbed.subscribe({ url: `${receiver.origin}/hook`, ordering: 'resource' });
    const record = randomUUID();
    const [first, second, third] = await emitSome(testbed, record, 3);
    await using _loop = startDeliverLoop(testbed.services);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), WAIT);
    const other = await testbed.emit();
    testbed.services.wake.deliver.raise();
    await vi.waitFor(() => expect(arrivedIds(receiver)).toEqual([first, other]), WAIT);
    testbed.clock.advance(10);
    await untilSettled(testbed, { status: 'delivered' });
    expect(arrivedIds(receiver)).toEqual([first, other, first, second, third]);
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
      const [first, second] = await emitSome(testbed, randomUUID(), 2);
      await using _loop = startDeliverLoop(testbed.services);
      await vi.waitFor(async () => {
        testbed.clock.advance(1);
        expect((await testbed.deliveries()).some((row) => row.status === 'pending')).toBe(false);
      }, WAIT);
      expect(arrivedIds(receiver)).toEqual([...Array(attempts).fill(first), second]);
    },
  );

  it('a worker that crashes with one in flight leaves the rest to others, in order', async () => {
    await using testbed = await makeTestbed(database.url);
    const hanging: ServerResponse[] = [];
    await using receiver = await startReceiver({
      '/hook': (nth, response) => (nth === 0 ? void hanging.push(response) : 200),
    });
    await testbed.subscribe({ url: `${receiver.origin}/hook`, ordering: 'resource' });
    const ids = await emitSome(testbed, randomUUID(), 3);
    // A claim without a worker, as a killed process leaves it.
    await testbed.db.query(
      `update webhook_deliveries set due_at = due_at + interval '60 s' where sequence = 1`,
      [],
    );
    await using _loop = startDeliverLoop(testbed.services);
    await vi.waitFor(async () => {
      const held = (await testbed.deliveries()).filter((row) => row.held_back === 't');
      expect(held).toHaveLength(2);
    }, WAIT);
    expect(receiver.received).toEqual([]);
    testbed.clock.advance(60);
    await vi.waitFor(() => expect(hanging).toHaveLength(1), WAIT);
    hanging[0]?.writeHead(200).end();
    await untilSettled(testbed, { status: 'delivered', attempts_count: '1' });
    expect(arrivedIds(receiver)).toEqual(ids);
  });
});
