import { createSecretKey, type KeyObject } from 'node:crypto';
import { createLru } from '@florin/contract/lru.ts';

export const CACHED_KEYS_MAX = 10_000;

/** Unwrapped keys by id. Concurrent callers share one unwrapping. */
export interface KeyCache<K> {
  get(id: string, load: () => Promise<K>): Promise<K>;
  clear(): void;
}

export function createKeyCache<K>(keysMax = CACHED_KEYS_MAX): KeyCache<K> {
  let keys = createLru<Promise<K>>(keysMax);
  return {
    get(id, load) {
      const cachedKey = keys.get(id);
      if (cachedKey) return cachedKey;
      const keyPromise = load();
      keys.set(id, keyPromise);
      keyPromise.catch(() => keys.delete(id));
      return keyPromise;
    },
    clear() {
      keys = createLru(keysMax);
    },
  };
}

/** Moves an unwrapped key out of its Buffer, which is then empty. */
export function toSecretKey(bytes: Buffer): KeyObject {
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return key;
}
