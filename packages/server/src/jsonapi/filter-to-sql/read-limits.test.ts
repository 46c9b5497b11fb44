import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { OverloadedError } from '../../platform/concurrency/overloaded.ts';
import { createDashboardLimiter, createReadLimit, READ_CONNECTIONS_MAX } from './read-limits.ts';

it('a merchant with endless statements uses only its share', async () => {
  const limitRead = createReadLimit();
  const { promise, resolve } = Promise.withResolvers<void>();
  let openReads = 0;
  const startEndlessRead = (merchant: string) =>
    limitRead(merchant, () => {
      openReads += 1;
      return promise;
    });
  const busyReads = Array.from({ length: 40 }, () => startEndlessRead('a'));
  expect(await limitRead('b', async () => 'answered')).toBe('answered');
  expect(openReads).toBe(4);
  resolve();
  await Promise.all(busyReads);
});

it('all merchants with lists, sums and searches leave connections for fetches by id', async () => {
  const limitRead = createReadLimit();
  const dashboardLimiter = createDashboardLimiter();
  const { promise, resolve } = Promise.withResolvers<void>();
  let openReads = 0;
  const open = () => {
    openReads += 1;
    return promise;
  };
  const reads = Array.from({ length: 40 }, (_, at) => [
    limitRead(`merchant ${at}`, open),
    dashboardLimiter.run(open, `merchant ${at}`),
  ]);
  await setImmediate();
  expect(openReads).toBe(READ_CONNECTIONS_MAX - 2);
  resolve();
  await Promise.all(reads.flat());
  expect(openReads).toBe(80);
});

it('a statement that would wait too long behind one merchant is refused', async () => {
  const limitRead = createReadLimit();
  const { promise, resolve } = Promise.withResolvers<void>();
  const reads = Array.from({ length: 1_000 }, () => limitRead('a', () => promise));
  const refusedRead = reads.at(-1);
  await expect(refusedRead).rejects.toThrow(OverloadedError);
  resolve();
  await Promise.allSettled(reads);
});
