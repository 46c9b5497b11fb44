import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { OverloadedError } from '../../platform/concurrency/overloaded.ts';
import { createReadLimit, READ_CONNECTIONS_MAX } from './read-limits.ts';

it('a merchant with endless statements uses only its share', async () => {
  const limitRead = createReadLimit();
  const { promise, resolve } = Promise.withResolvers<void>();
  let open = 0;
  const endless = (merchant: string) =>
    limitRead(merchant, () => {
      open += 1;
      return promise;
    });
  const busy = Array.from({ length: 40 }, () => endless('a'));
  expect(await limitRead('b', async () => 'answered')).toBe('answered');
  expect(open).toBe(READ_CONNECTIONS_MAX / 2);
  resolve();
  await Promise.all(busy);
});

it('all merchants together leave connections for fetches by id', async () => {
  const limitRead = createReadLimit();
  const { promise, resolve } = Promise.withResolvers<void>();
  let open = 0;
  const works = Array.from({ length: 40 }, (_, at) =>
    limitRead(`merchant ${at}`, () => {
      open += 1;
      return promise;
    }),
  );
  await setImmediate();
  expect(open).toBeGreaterThan(READ_CONNECTIONS_MAX / 2);
  expect(open).toBeLessThan(READ_CONNECTIONS_MAX);
  resolve();
  await Promise.all(works);
  expect(open).toBe(40);
});

it('a statement that would wait too long behind one merchant is refused', async () => {
  const limitRead = createReadLimit();
  const { promise, resolve } = Promise.withResolvers<void>();
  const works = Array.from({ length: 1_000 }, () => limitRead('a', () => promise));
  const refused = works.at(-1);
  await expect(refused).rejects.toThrow(OverloadedError);
  resolve();
  await Promise.allSettled(works);
});
