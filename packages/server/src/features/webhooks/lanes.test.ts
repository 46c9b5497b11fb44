import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLanes, LANE_WAITING_MAX } from './lanes.ts';

interface Item {
  readonly lane: string;
  readonly name: string;
}

/** Lanes whose items end when they are told to. */
function manualLanes(limit: number, running_max: number) {
  const ends = new Map<string, () => void>();
  const started: string[] = [];
  const time = { now: 0 };
  const lanes = createLanes<Item>({
    clock: { now: () => time.now },
    running_max,
    laneOf: ({ lane }) => lane,
    limitOf: () => limit,
    run: ({ name }) => {
      started.push(name);
      return new Promise((resolve) => void ends.set(name, resolve));
    },
  });
  const end = async (name: string) => {
    ends.get(name)?.();
    await setImmediate();
  };
  return { lanes, started, end, time };
}

const items = (lane: string, count: number): Item[] =>
  Array.from({ length: count }, (_, at) => ({ lane, name: `${lane}${at}` }));

describe('lanes', () => {
  it('run no more of a lane than its limit, and the next when one ends', async () => {
    const { lanes, started, end } = manualLanes(2, 10);
    for (const item of items('a', 3)) lanes.offer(item);
    expect(started).toEqual(['a0', 'a1']);
    await end('a0');
    expect(started).toEqual(['a0', 'a1', 'a2']);
  });

  it('run others while one is full', () => {
    const { lanes, started } = manualLanes(1, 10);
    for (const item of [...items('slow', 3), ...items('fast', 1)]) lanes.offer(item);
    expect(started).toEqual(['slow0', 'fast0']);
  });

  it('send an item away whose lane has enough waiting', () => {
    const { lanes } = manualLanes(20, 100);
    const answers = items('a', 200).map((item) => lanes.offer(item));
    expect(answers.filter((away) => away === undefined)).toHaveLength(20 + LANE_WAITING_MAX);
    expect(lanes.held()).toBe(20 + LANE_WAITING_MAX);
    expect(lanes.offer({ lane: 'b', name: 'b' })).toBeUndefined();
  });

  it('let those come again that they sent away as fast as the lane works, within 30 s', async () => {
    const { lanes, end, time } = manualLanes(2, 10);
    const offer = (count: number) => items('a', count).map((item) => lanes.offer(item));
    offer(2 + LANE_WAITING_MAX);
    expect(offer(2)).toEqual([975_000, 990_000]);
    time.now = 8_100_000;
    await end('a0');
    expect(offer(1)).toEqual([undefined]);
    const [first = 0, second = 0] = offer(2);
    expect(second).toBe(time.now + 30_000_000);
    expect(first).toBeLessThanOrEqual(second);
  });

  it('give back what waits when they are drained, after what runs has ended', async () => {
    const { lanes, started, end } = manualLanes(1, 10);
    for (const item of items('a', 3)) lanes.offer(item);
    const drained = lanes.drain();
    await end('a0');
    expect((await drained).map(({ name }) => name)).toEqual(['a1', 'a2']);
    expect(started).toEqual(['a0']);
    expect(lanes.offer({ lane: 'a', name: 'late' })).toBe(0);
  });

  it('never exceed a limit and run every item they took exactly once', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 60 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 6 }),
      async (offered, limit, running_max) => {
        const busy = new Map<string, number>();
        const ran: number[] = [];
        const lanes = createLanes<{ lane: string; at: number }>({
          clock: { now: () => 0 },
          running_max,
          laneOf: ({ lane }) => lane,
          limitOf: () => limit,
          run: async ({ lane, at }) => {
            busy.set(lane, (busy.get(lane) ?? 0) + 1);
            ran.push(at);
            expect(busy.get(lane)).toBeLessThanOrEqual(limit);
            expect([...busy.values()].reduce((a, b) => a + b)).toBeLessThanOrEqual(running_max);
            await Promise.resolve();
            busy.set(lane, (busy.get(lane) ?? 0) - 1);
          },
        });
        const taken = offered.flatMap((lane, at) =>
          lanes.offer({ lane, at }) === undefined ? [at] : [],
        );
        while (lanes.held() > 0) await setImmediate();
        expect(ran.toSorted((a, b) => a - b)).toEqual(taken);
      },
    );
    await fc.assert(property, { seed: 20261121, numRuns: 100 });
  });
});
