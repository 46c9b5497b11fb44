import { expect, it, vi } from 'vitest';
import { type Pruner, pruneRounds } from './prune.ts';

/** A pruner with a number of full batches. */
function pruner(batches: number) {
  let left = batches;
  return vi.fn<Pruner>(async () => {
    left -= 1;
    return left > 0;
  });
}
const broken = () => vi.fn<Pruner>().mockRejectedValue(new Error('broken'));

it('each pruner runs until it has no more', async () => {
  const [long, short] = [pruner(5), pruner(1)];
  expect(await pruneRounds([long, short])).toBe(false);
  expect([long.mock.calls.length, short.mock.calls.length]).toEqual([5, 1]);
});

it('a pruner that always fails does not slow down the others, and is reported', async () => {
  const [first, failing, last] = [pruner(5), broken(), pruner(7)];
  await expect(pruneRounds([first, failing, last])).rejects.toThrow('broken');
  const calls = [first, failing, last].map(({ mock }) => mock.calls.length);
  expect(calls).toEqual([5, 1, 7]);
});

it('a step ends after 100 rounds and says that there may be more', async () => {
  const endless = pruner(Number.POSITIVE_INFINITY);
  expect(await pruneRounds([endless])).toBe(true);
  expect(endless).toHaveBeenCalledTimes(100);
});

it('a loop that stops waits for one batch only', async () => {
  const endless = pruner(Number.POSITIVE_INFINITY);
  expect(await pruneRounds([endless, pruner(1)], () => endless.mock.calls.length > 2)).toBe(false);
  expect(endless).toHaveBeenCalledTimes(3);
});
