import { expect, it, vi } from 'vitest';
import { runEvery } from './every.ts';

it('a run that takes longer than the interval leaves out turns, and disposal waits for this run only', async () => {
  vi.useFakeTimers();
  try {
    const ends: (() => void)[] = [];
    const loop = runEvery(10, () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      return promise;
    });
    await vi.advanceTimersByTimeAsync(100);
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await vi.advanceTimersByTimeAsync(10);
    expect(ends).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(100);
    const disposal = loop[Symbol.asyncDispose]();
    ends[1]?.();
    await disposal;
    await vi.advanceTimersByTimeAsync(100);
    expect(ends).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});
