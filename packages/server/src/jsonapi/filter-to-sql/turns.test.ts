import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { OverloadedError } from '../../platform/concurrency/batcher.ts';
import { createTurns, READ_CONNECTIONS_MAX } from './turns.ts';

it('a merchant whose statements never end has no more than its share, and others have theirs', async () => {
  const inTurn = createTurns();
  const { promise, resolve } = Promise.withResolvers<void>();
  let open = 0;
  const endless = (merchant: string) =>
    inTurn(merchant, () => {
      open += 1;
      return promise;
    });
  const busy = Array.from({ length: 40 }, () => endless('a'));
  expect(await inTurn('b', async () => 'answered')).toBe('answered');
  expect(open).toBe(READ_CONNECTIONS_MAX / 2);
  resolve();
  await Promise.all(busy);
});

it('all merchants together leave connections to records that are read by their ids', async () => {
  const inTurn = createTurns();
  const { promise, resolve } = Promise.withResolvers<void>();
  let open = 0;
  const works = Array.from({ length: 40 }, (_, at) =>
    inTurn(`merchant ${at}`, () => {
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

it('what would wait too long behind one merchant is refused', async () => {
  const inTurn = createTurns();
  const { promise, resolve } = Promise.withResolvers<void>();
  const works = Array.from({ length: 1_000 }, () => inTurn('a', () => promise));
  const refused = works.at(-1);
  await expect(refused).rejects.toThrow(OverloadedError);
  resolve();
  await Promise.allSettled(works);
});
