import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDeliveryQueues } from './delivery-queues.ts';
import { QUEUE_WAITING_MAX, UNPROVEN_MAX } from './endpoint-queue.ts';

interface Item {
  readonly queue: string;
  readonly name: string;
}

/** Queues whose items end when the test ends them. */
function manualQueues({
  limit = 20,
  running_max = 100,
  slow_max = 50,
  group_max = 1_000,
  groupOf = (queue: string) => queue,
} = {}) {
  const endByName = new Map<string, (answered: boolean) => void>();
  const startedNames: string[] = [];
  const clock = { now: 0 };
  const queues = createDeliveryQueues<Item>({
    clock: { now: () => clock.now },
    running_max,
    slow_max,
    group_max,
    queueOf: ({ queue }) => queue,
    groupOf: ({ queue }) => groupOf(queue),
    limitOf: () => limit,
    run: ({ name }) => {
      startedNames.push(name);
      return new Promise((resolve) => void endByName.set(name, resolve));
    },
  });
  const end = async (name: string, isAnswered = true) => {
    endByName.get(name)?.(isAnswered);
    await setImmediate();
  };
  const addItems = (queue: string, count: number) => {
    for (let at = 0; at < count; at++) queues.add({ queue, name: `${queue}${at}` });
  };
  const capacityOf = (name: string) => {
    const capacity = queues.capacity();
    return capacity.queues.get(name) ?? capacity.new_queue;
  };
  return { queues, started: startedNames, add: addItems, end, time: clock, capacityOf };
}

describe('delivery queues', () => {
  it("run at most a queue's limit, and the next item when one ends", async () => {
    const { started, add, end } = manualQueues({ limit: 2 });
    add('a', 3);
    expect(started).toEqual(['a0', 'a1']);
    await end('a0');
    expect(started).toEqual(['a0', 'a1', 'a2']);
  });

  it('run other queues while one is full', () => {
    const { started, add } = manualQueues({ limit: 1 });
    add('slow', 3);
    add('fast', 1);
    expect(started).toEqual(['slow0', 'fast0']);
  });

  it('run few items of a queue before its first response and after a timeout', async () => {
    const { started, add, end } = manualQueues();
    add('a', 20);
    expect(started).toHaveLength(UNPROVEN_MAX);
    await end('a0');
    expect(started).toHaveLength(20);
    await end('a1', false);
    add('a', 1);
    expect(started).toHaveLength(20);
  });

  it('hold more items of a quick queue than of a slow or unknown one', async () => {
    const { add, end, time, capacityOf } = manualQueues();
    expect(capacityOf('a')).toBe(2 * UNPROVEN_MAX);
    add('a', 2);
    expect(capacityOf('a')).toBe(2 * UNPROVEN_MAX - 2);
    await end('a0');
    expect(capacityOf('a')).toBe(20 + QUEUE_WAITING_MAX - 1);
    time.now = 1_000_001;
    expect(capacityOf('a')).toBe(20 + UNPROVEN_MAX - 1);
  });

  it('that are slow take no capacity from others, and each may run one item', async () => {
    const { started, add, end, time, capacityOf } = manualQueues({ running_max: 4, slow_max: 10 });
    add('quick', 1);
    await end('quick0');
    for (let at = 0; at < 15; at++) add(`hung${at}:`, UNPROVEN_MAX);
    const hungNames = started.filter((name) => name.startsWith('hung'));
    expect(new Set(hungNames.map((name) => name.split(':')[0])).size).toBe(15);
    expect(hungNames).toHaveLength(10 + 13);
    expect([capacityOf('hung3:'), capacityOf('newcomer')]).toEqual([0, 1]);
    time.now = 10_000_000;
    add('quick', 5);
    expect(started.filter((name) => name.startsWith('quick'))).toHaveLength(1 + 4);
  });

  describe('of one group', () => {
    const groupOf = (queue: string): string => queue.split('/')[0] as string;

    it('hold at most the limit of their group, and do not reduce that of others', async () => {
      const { queues, add, end, capacityOf } = manualQueues({ groupOf, group_max: 40 });
      for (const name of ['a/1', 'a/2', 'b/1']) add(name, 1);
      for (const name of ['a/1', 'a/2', 'b/1']) await end(`${name}0`);
      add('a/1', 30);
      expect([capacityOf('a/1'), capacityOf('a/2'), capacityOf('b/1')]).toEqual([20, 20, 80]);
      expect([...queues.capacity().groups]).toEqual(
        expect.arrayContaining([
          ['a', 10],
          ['b', 40],
        ]),
      );
      add('a/2', 10);
      expect([capacityOf('a/1'), capacityOf('a/2'), capacityOf('b/1')]).toEqual([0, 0, 80]);
      expect([queues.isHalfFree('a/2'), queues.isHalfFree('b/1')]).toEqual([false, true]);
    });

    it('that are all slow delay only each other', () => {
      const { add, capacityOf } = manualQueues({ groupOf, slow_max: 10 });
      for (let at = 0; at < 20; at++) add(`a/${at}`, UNPROVEN_MAX);
      expect([capacityOf('a/3'), capacityOf('b/1')]).toEqual([0, 2 * UNPROVEN_MAX]);
      for (let at = 0; at < 2; at++) add(`b/${at}`, UNPROVEN_MAX);
      expect([capacityOf('b/1'), capacityOf('c/1')]).toEqual([0, 1]);
    });
  });

  it('return waiting items when drained, after the running ones have ended', async () => {
    const { queues, started, add, end } = manualQueues({ limit: 1 });
    add('a', 3);
    const drain = queues.drain();
    await end('a0');
    expect((await drain).map(({ name }) => name)).toEqual(['a1', 'a2']);
    expect(started).toEqual(['a0']);
  });

  it('return the waiting items of one queue', async () => {
    const { queues, started, add, end } = manualQueues({ limit: 1 });
    add('a', 3);
    add('b', 2);
    expect(queues.removeWaiting('a').map(({ name }) => name)).toEqual(['a1', 'a2']);
    await end('a0');
    await end('b0');
    expect(started).toEqual(['a0', 'b0', 'b1']);
    expect(queues.held()).toBe(1);
  });

  it('never exceed a limit, and run every added item exactly once', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 60 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
      async (items, limit, running_max, isAnswered) => {
        const runningCounts = new Map<string, number>();
        const ranItems: number[] = [];
        const queues = createDeliveryQueues<{ queue: string; at: number }>({
          clock: { now: () => 0 },
          running_max,
          slow_max: running_max,
          group_max: 1_000,
          queueOf: ({ queue }) => queue,
          groupOf: ({ queue }) => queue,
          limitOf: () => limit,
          run: async ({ queue, at }) => {
            runningCounts.set(queue, (runningCounts.get(queue) ?? 0) + 1);
            ranItems.push(at);
            expect(runningCounts.get(queue)).toBeLessThanOrEqual(limit);
            const runningTotal = [...runningCounts.values()].reduce((a, b) => a + b);
            expect(runningTotal).toBeLessThanOrEqual(2 * running_max + runningCounts.size);
            await Promise.resolve();
            runningCounts.set(queue, (runningCounts.get(queue) ?? 0) - 1);
            return isAnswered[at];
          },
        });
        for (const [at, queue] of items.entries()) queues.add({ queue, at });
        while (queues.held() > 0) await setImmediate();
        expect(ranItems.toSorted((a, b) => a - b)).toEqual(items.map((_, at) => at));
      },
    );
    await fc.assert(property, { seed: 20261121, numRuns: 100 });
  });
});
