import { CLOCKS_APART_MS_MAX } from '@florin/contract/protocol/vault.ts';
import { expect, onTestFinished, test } from 'vitest';
import { startClockWatch } from './clock-watch.ts';

/** A watch whose vault responds after `taking_ms`, with a clock that is `ahead_ms` fast. */
async function startWatch() {
  let now_ms = 1_000_000;
  const now = (): number => now_ms * 1_000;
  const watch = await startClockWatch({
    clock: { now },
    logger: { info() {}, error() {} },
    databaseTime: async () => now(),
  });
  onTestFinished(() => watch[Symbol.asyncDispose]());
  const compareClock = async (ahead_ms: number, taking_ms: number): Promise<boolean> => {
    const readClock = async (): Promise<number> => {
      now_ms += taking_ms;
      return (now_ms + ahead_ms) * 1_000;
    };
    await watch.compare('vault', readClock, (otherTime) => otherTime);
    return watch.agree();
  };
  return compareClock;
}

const APART = 2 * CLOCKS_APART_MS_MAX;

test.each([
  ['an answer at once', [[-APART, 0]], false],
  [
    'a slow answer, which says nothing',
    [
      [-APART, 0],
      [-APART, 2 * APART],
    ],
    false,
  ],
  [
    'an answer at once that agrees',
    [
      [-APART, 0],
      [0, 0],
    ],
    true,
  ],
  ['a slow answer from further away than it took', [[4 * APART, 2 * APART]], false],
])('a clock that differs is reported after %s', async (_, answers, expected) => {
  const compareClock = await startWatch();
  let agrees = true;
  for (const [ahead_ms, taking_ms] of answers as [number, number][]) {
    agrees = await compareClock(ahead_ms, taking_ms);
  }
  expect(agrees).toBe(expected);
});
