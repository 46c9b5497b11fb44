import { describe, expect, it } from 'vitest';
import { createBatcher, OverloadedError } from './batcher.ts';

const gate = () => {
  const waiting: (() => void)[] = [];
  return {
    wait: () => new Promise<void>((resolve) => waiting.push(resolve)),
    open: () => waiting.shift()?.(),
  };
};
const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('group commit', () => {
  it('gathers what arrives while earlier batches are on their way', async () => {
    const sizes: number[] = [];
    const door = gate();
    const add = createBatcher({
      in_flight_max: 1,
      run: async (items: readonly number[]) => {
        sizes.push(items.length);
        await door.wait();
        return items.map((item) => item * 2);
      },
    });
    const first = add(1);
    await turn();
    const others = [2, 3, 4].map(add);
    await turn();
    door.open();
    await turn();
    door.open();
    expect(await Promise.all([first, ...others])).toEqual([2, 4, 6, 8]);
    expect(sizes).toEqual([1, 3]);
  });

  it('never puts two items of one key into flight together', async () => {
    const batches: string[][] = [];
    const add = createBatcher({
      keyOf: (item: string) => item,
      run: async (items: readonly string[]) => {
        batches.push([...items]);
        await turn();
        return items;
      },
    });
    await Promise.all(['a', 'a', 'b', 'a'].map(add));
    expect(batches).toEqual([['a', 'b'], ['a'], ['a']]);
  });

  it('lets one bad item fail alone', async () => {
    const add = createBatcher({
      run: async (items: readonly number[]) => {
        if (items.includes(3)) throw new Error('three');
        return items;
      },
    });
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map(add));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
  });

  it('answers one item with an error where the batch says so', async () => {
    const add = createBatcher({
      run: async (items: readonly number[]) =>
        items.map((item) => (item === 2 ? new Error('two') : item)),
    });
    await expect(add(2)).rejects.toThrow('two');
  });

  it('does not run a batch again after a broken connection', async () => {
    let runs = 0;
    const add = createBatcher({
      run: async (_items: readonly number[]) => {
        runs++;
        throw Object.assign(new Error('Connection terminated unexpectedly'), {
          code: 'ECONNRESET',
        });
      },
    });
    const results = await Promise.allSettled([1, 2].map(add));
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(runs).toBe(1);
  });

  it('refuses more callers than its queue holds', async () => {
    const door = gate();
    const add = createBatcher({
      queue_max: 2,
      run: async (items: readonly number[]) => {
        await door.wait();
        return items;
      },
    });
    const results = Promise.allSettled([1, 2, 3].map(add));
    await turn();
    door.open();
    expect((await results).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
    await expect(
      results.then((all) => (all[2] as PromiseRejectedResult).reason),
    ).resolves.toBeInstanceOf(OverloadedError);
  });
});
