import { expect, test, vi } from 'vitest';
import { createKeyCache } from './key-cache.ts';

test('concurrent callers share one unwrapping', async () => {
  const load = vi.fn(async () => 'key');
  const cache = createKeyCache<string>();
  expect(await Promise.all([cache.get('a', load), cache.get('a', load)])).toEqual(['key', 'key']);
  expect(load).toHaveBeenCalledTimes(1);
});

test('a failed unwrapping is repeated by the next caller', async () => {
  const cache = createKeyCache<string>();
  await expect(cache.get('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await cache.get('a', async () => 'key')).toBe('key');
});
