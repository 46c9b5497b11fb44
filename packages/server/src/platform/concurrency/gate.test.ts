import { expect, it } from 'vitest';
import { OverloadedError } from './batcher.ts';
import { createGate, createKeyedGate } from './gate.ts';

it('a gate runs so many works at once, keeps so many waiting, and refuses the rest', async () => {
  const gate = createGate({ places: 2, queue_max: 1 });
  const works = Array.from({ length: 4 }, () => Promise.withResolvers<string>());
  const started: number[] = [];
  const answers = works.map(({ promise }, at) =>
    gate(() => {
      started.push(at);
      return promise;
    }),
  );
  await expect(answers[3]).rejects.toThrow(OverloadedError);
  expect(started).toEqual([0, 1]);
  works[0]?.reject(new Error('failed'));
  await expect(answers[0]).rejects.toThrow('failed');
  for (const { resolve } of works) resolve('done');
  expect(await Promise.all(answers.slice(1, 3))).toEqual(['done', 'done']);
  expect(started).toEqual([0, 1, 2]);
  expect(await gate(async () => 'free again')).toBe('free again');
});

it('a gate that has a longest wait refuses whoever has waited so long, and serves those behind', async () => {
  const gate = createGate({ places: 1, queue_max: 9, wait_max_ms: 1 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = gate(() => promise);
  await expect(gate(async () => 'never')).rejects.toThrow(OverloadedError);
  const late = createGate({ places: 1, queue_max: 9, wait_max_ms: 60_000 });
  const before = late(() => promise);
  const after = late(async () => 'in time');
  resolve();
  await Promise.all([first, before]);
  expect(await after).toBe('in time');
  expect(await gate(async () => 'free again')).toBe('free again');
});

it('a keyed gate counts the places of each key apart', async () => {
  const gate = createKeyedGate({ places: 1, queue_max: 0 });
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = gate('a', () => promise);
  await expect(gate('a', async () => 'too much')).rejects.toThrow(OverloadedError);
  expect(await gate('b', async () => 'another key')).toBe('another key');
  resolve('done');
  expect(await first).toBe('done');
  expect(await gate('a', async () => 'free again')).toBe('free again');
});
