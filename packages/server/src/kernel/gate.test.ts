import { expect, it } from 'vitest';
import { OverloadedError } from './batcher.ts';
import { createGate } from './gate.ts';

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
