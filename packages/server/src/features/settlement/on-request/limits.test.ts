import { expect, it } from 'vitest';
import { createSettlementLimits } from './limits.ts';

it('a settlement that waits too long for others is refused with the time to try again', async () => {
  const limits = createSettlementLimits(() => 0, 1);
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = limits.run('a', () => promise);
  let isStarted = false;
  const second = limits.run('b', async () => {
    isStarted = true;
  });
  await expect(second).rejects.toMatchObject({
    problems: [{ code: 'rate_limited', meta: { retry_after_seconds: 10 } }],
    headers: { 'retry-after': '10' },
  });
  resolve('settled');
  expect(await first).toBe('settled');
  expect(isStarted).toBe(false);
});
