import { describe, expect, it } from 'vitest';
import { createBatcher, isPassingError } from './batcher.ts';
import { OverloadedError } from './overloaded.ts';

const createGate = () => {
  const waitingCalls: (() => void)[] = [];
  return {
    wait: () => new Promise<void>((resolve) => waitingCalls.push(resolve)),
    open: () => waitingCalls.shift()?.(),
  };
};
const waitForTurn = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('the batcher', () => {
  it('gathers items that arrive while earlier batches run', async () => {
    const sizes: number[] = [];
    const gate = createGate();
    const add = createBatcher({
      in_flight_max: 1,
      run: async (items: readonly number[]) => {
        sizes.push(items.length);
        await gate.wait();
        return items.map((item) => item * 2);
      },
    });
    const firstResult = add(1);
    await waitForTurn();
    const otherResults = [2, 3, 4].map(add);
    await waitForTurn();
    gate.open();
    await waitForTurn();
    gate.open();
    expect(await Promise.all([firstResult, ...otherResults])).toEqual([2, 4, 6, 8]);
    expect(sizes).toEqual([1, 3]);
  });

  it('starts beside a running batch only at the full size, and alone at any size', async () => {
    const sizes: number[] = [];
    const gate = createGate();
    const add = createBatcher({
      second_batch_min: 3,
      second_batch_wait_ms: 600_000,
      run: async (items: readonly number[]) => {
        sizes.push(items.length);
        await gate.wait();
        return items;
      },
    });
    const results = [1].map(add);
    await waitForTurn();
    results.push(...[2, 3].map(add));
    await waitForTurn();
    expect(sizes).toEqual([1]);
    results.push(add(4));
    await waitForTurn();
    expect(sizes).toEqual([1, 3]);
    results.push(add(5));
    for (let opened = 0; opened < 3; opened++) {
      gate.open();
      await waitForTurn();
    }
    await Promise.all(results);
    expect(sizes).toEqual([1, 3, 1]);
  });

  it('starts beside a slow batch with the items that are waiting', async () => {
    const sizes: number[] = [];
    const gate = createGate();
    const secondGate = createGate();
    const add = createBatcher({
      second_batch_min: 3,
      second_batch_wait_ms: 1,
      run: async (items: readonly number[]) => {
        sizes.push(items.length);
        if (sizes.length === 2) secondGate.open();
        await gate.wait();
        return items;
      },
    });
    const secondBatch = secondGate.wait();
    const results = [1].map(add);
    await waitForTurn();
    results.push(...[2, 3].map(add));
    await secondBatch;
    expect(sizes).toEqual([1, 2]);
    gate.open();
    gate.open();
    expect(await Promise.all(results)).toEqual([1, 2, 3]);
  });

  it('never runs two items of one key concurrently', async () => {
    const batches: string[][] = [];
    const add = createBatcher({
      keyOf: (item: string) => item,
      run: async (items: readonly string[]) => {
        batches.push([...items]);
        await waitForTurn();
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

  it('fails one item with an error that the batch returns for it', async () => {
    const add = createBatcher({
      run: async (items: readonly number[]) =>
        items.map((item) => (item === 2 ? new Error('two') : item)),
    });
    await expect(add(2)).rejects.toThrow('two');
  });

  it.each(['ECONNRESET', '57P01', '57014', '53300', '40P01', '42703'])(
    'does not repeat a batch after %s, which no item caused',
    async (code) => {
      let runs = 0;
      const add = createBatcher({
        run: async (_items: readonly number[]) => {
          runs++;
          throw Object.assign(new Error('failed'), { code });
        },
      });
      const results = await Promise.allSettled([1, 2, 3, 4].map(add));
      expect(results.every(({ status }) => status === 'rejected')).toBe(true);
      expect(runs).toBe(1);
    },
  );

  it.each(['22P02', '23505', 'P0001', '55P03'])('finds the item that caused %s', async (code) => {
    const add = createBatcher({
      run: async (items: readonly number[]) => {
        if (items.includes(3)) throw Object.assign(new Error('failed'), { code });
        return items;
      },
    });
    const results = await Promise.allSettled([1, 2, 3, 4].map(add));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  it('refuses more callers than its queue holds', async () => {
    const gate = createGate();
    const add = createBatcher({
      queue_max: 2,
      run: async (items: readonly number[]) => {
        await gate.wait();
        return items;
      },
    });
    const results = Promise.allSettled([1, 2, 3].map(add));
    await waitForTurn();
    gate.open();
    expect((await results).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
    const { reason } = (await results)[2] as PromiseRejectedResult;
    expect(reason).toBeInstanceOf(OverloadedError);
    expect(reason.exceeded).toEqual({ limit: 'waiting', max: 2 });
  });
});

it.each([
  ['ECONNRESET', true],
  ['57P01', true],
  ['57014', true],
  ['55P03', true],
  ['53300', true],
  ['40001', true],
  ['23505', false],
  ['22P02', false],
  ['42703', false],
])('%s is a temporary error: %s', (code, passes) => {
  expect(isPassingError(Object.assign(new Error('failed'), { code }))).toBe(passes);
});
