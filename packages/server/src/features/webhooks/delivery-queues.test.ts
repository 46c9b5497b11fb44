import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDeliveryQueues } from './delivery-queues.ts';
import { QUEUE_WAITING_MAX, UNPROVEN_MAX } from './endpoint-queue.ts';

interface Item {
  readonly lane: string;
  readonly name: string;
}

/** Lanes whose items end when they are told to. */
function manualLanes({
  limit = 20,
  running_max = 100,
  slow_max = 50,
  group_max = 1_000,
  groupOf = (lane: string) => lane,
} = {}) {
  const ends = new Map<string, (answered: boolean) => void>();
  const started: string[] = [];
  const time = { now: 0 };
  const lanes = createDeliveryQueues<Item>({
    clock: { now: () => time.now },
    running_max,
    slow_max,
    group_max,
    laneOf: ({ lane }) => lane,
    groupOf: ({ lane }) => groupOf(lane),
    limitOf: () => limit,
    run: ({ name }) => {
      started.push(name);
      return new Promise((resolve) => void ends.set(name, resolve));
    },
  });
  const end = async (name: string, answered = true) => {
    ends.get(name)?.(answered);
    await setImmediate();
  };
  const offer = (lane: string, count: number) => {
    for (let at = 0; at < count; at++) lanes.offer({ lane, name: `${lane}${at}` });
  };
  const roomOf = (name: string) => {
    const rooms = lanes.rooms();
    return rooms.lanes.get(name) ?? rooms.new_lane;
  };
  return { lanes, started, offer, end, time, roomOf };
}

describe('lanes', () => {
  it('run no more of a lane than its limit, and the next when one ends', async () => {
    const { started, offer, end } = manualLanes({ limit: 2 });
    offer('a', 3);
    expect(started).toEqual(['a0', 'a1']);
    await end('a0');
    expect(started).toEqual(['a0', 'a1', 'a2']);
  });

  it('run others while one is full', () => {
    const { started, offer } = manualLanes({ limit: 1 });
    offer('slow', 3);
    offer('fast', 1);
    expect(started).toEqual(['slow0', 'fast0']);
  });

  it('run few of a lane until the first was answered, and again after one that was not', async () => {
    const { started, offer, end } = manualLanes();
    offer('a', 20);
    expect(started).toHaveLength(UNPROVEN_MAX);
    await end('a0');
    expect(started).toHaveLength(20);
    await end('a1', false);
    offer('a', 1);
    expect(started).toHaveLength(20);
  });

  it('have room for more in a quick lane than in one that is slow or unknown', async () => {
    const { offer, end, time, roomOf } = manualLanes();
    expect(roomOf('a')).toBe(2 * UNPROVEN_MAX);
    offer('a', 2);
    expect(roomOf('a')).toBe(2 * UNPROVEN_MAX - 2);
    await end('a0');
    expect(roomOf('a')).toBe(20 + QUEUE_WAITING_MAX - 1);
    time.now = 1_000_001;
    expect(roomOf('a')).toBe(20 + UNPROVEN_MAX - 1);
  });

  it('that are slow take no room from the others, and each may run one', async () => {
    const { started, offer, end, time, roomOf } = manualLanes({ running_max: 4, slow_max: 10 });
    offer('quick', 1);
    await end('quick0');
    for (let at = 0; at < 15; at++) offer(`hung${at}:`, UNPROVEN_MAX);
    const hung = started.filter((name) => name.startsWith('hung'));
    expect(new Set(hung.map((name) => name.split(':')[0])).size).toBe(15);
    expect(hung).toHaveLength(10 + 13);
    expect([roomOf('hung3:'), roomOf('newcomer')]).toEqual([0, 1]);
    time.now = 10_000_000;
    offer('quick', 5);
    expect(started.filter((name) => name.startsWith('quick'))).toHaveLength(1 + 4);
  });

  describe('of one group', () => {
    const groupOf = (lane: string): string => lane.split('/')[0] as string;

    it('have no more together than the group may have, and leave the others theirs', async () => {
      const { lanes, offer, end, roomOf } = manualLanes({ groupOf, group_max: 40 });
      for (const name of ['a/1', 'a/2', 'b/1']) offer(name, 1);
      for (const name of ['a/1', 'a/2', 'b/1']) await end(`${name}0`);
      offer('a/1', 30);
      expect([roomOf('a/1'), roomOf('a/2'), roomOf('b/1')]).toEqual([20, 20, 80]);
      expect([...lanes.rooms().groups]).toEqual(
        expect.arrayContaining([
          ['a', 10],
          ['b', 40],
        ]),
      );
      offer('a/2', 10);
      expect([roomOf('a/1'), roomOf('a/2'), roomOf('b/1')]).toEqual([0, 0, 80]);
      expect([lanes.isLow('a/2'), lanes.isLow('b/1')]).toEqual([false, true]);
    });

    it('that are all slow delay only each other', () => {
      const { offer, roomOf } = manualLanes({ groupOf, slow_max: 10 });
      for (let at = 0; at < 20; at++) offer(`a/${at}`, UNPROVEN_MAX);
      expect([roomOf('a/3'), roomOf('b/1')]).toEqual([0, 2 * UNPROVEN_MAX]);
      for (let at = 0; at < 2; at++) offer(`b/${at}`, UNPROVEN_MAX);
      expect([roomOf('b/1'), roomOf('c/1')]).toEqual([0, 1]);
    });
  });

  it('give back what waits when they are drained, after what runs has ended', async () => {
    const { lanes, started, offer, end } = manualLanes({ limit: 1 });
    offer('a', 3);
    const drained = lanes.drain();
    await end('a0');
    expect((await drained).map(({ name }) => name)).toEqual(['a1', 'a2']);
    expect(started).toEqual(['a0']);
  });

  it('give back what waits in one of them', async () => {
    const { lanes, started, offer, end } = manualLanes({ limit: 1 });
    offer('a', 3);
    offer('b', 2);
    expect(lanes.takeBack('a').map(({ name }) => name)).toEqual(['a1', 'a2']);
    await end('a0');
    await end('b0');
    expect(started).toEqual(['a0', 'b0', 'b1']);
    expect(lanes.held()).toBe(1);
  });

  it('never exceed a limit and run every item they took exactly once', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 60 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
      async (offered, limit, running_max, answers) => {
        const busy = new Map<string, number>();
        const ran: number[] = [];
        const lanes = createDeliveryQueues<{ lane: string; at: number }>({
          clock: { now: () => 0 },
          running_max,
          slow_max: running_max,
          group_max: 1_000,
          laneOf: ({ lane }) => lane,
          groupOf: ({ lane }) => lane,
          limitOf: () => limit,
          run: async ({ lane, at }) => {
            busy.set(lane, (busy.get(lane) ?? 0) + 1);
            ran.push(at);
            expect(busy.get(lane)).toBeLessThanOrEqual(limit);
            const all = [...busy.values()].reduce((a, b) => a + b);
            expect(all).toBeLessThanOrEqual(2 * running_max + busy.size);
            await Promise.resolve();
            busy.set(lane, (busy.get(lane) ?? 0) - 1);
            return answers[at];
          },
        });
        for (const [at, lane] of offered.entries()) lanes.offer({ lane, at });
        while (lanes.held() > 0) await setImmediate();
        expect(ran.toSorted((a, b) => a - b)).toEqual(offered.map((_, at) => at));
      },
    );
    await fc.assert(property, { seed: 20261121, numRuns: 100 });
  });
});
