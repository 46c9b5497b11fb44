import { expect, it } from 'vitest';
import { createLogger } from '../logger.ts';
import { startLoop } from './loop.ts';
import { createSignal } from './signal.ts';

it('logs ever fewer of the failures in a row, and their end', async () => {
  const lines: unknown[][] = [];
  const logger = Object.assign(createLogger('silent'), {
    error: ({ loop, why, failures }: Record<string, unknown>) => lines.push([loop, why, failures]),
    info: ({ loop, failures }: Record<string, unknown>, text: string) =>
      lines.push([loop, text, failures]),
  });
  const wake = createSignal();
  const ended = Promise.withResolvers<void>();
  let steps = 0;
  const step = async (): Promise<boolean> => {
    steps += 1;
    if (steps <= 5) throw new Error('the database is away');
    if (steps === 7) ended.resolve();
    return steps < 7;
  };
  const wakes = setInterval(() => wake.raise(), 1);
  await using _loop = startLoop({ logger, clock: {} }, { name: 'bill', wake, poll_ms: 1, step });
  await ended.promise;
  clearInterval(wakes);
  const why = 'the database is away';
  expect(lines).toEqual([
    ['bill', why, 1],
    ['bill', why, 2],
    ['bill', why, 4],
    ['bill', 'work loop works again', 5],
  ]);
});
