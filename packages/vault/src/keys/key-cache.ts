import { createLru } from '@florin/contract/lru.ts';

export const CACHED_KEYS_MAX = 10_000;

/** Unwrapped keys by id. Concurrent callers share one unwrapping. */
export interface KeyCache<K> {
  get(id: string, load: () => Promise<K>): Promise<K>;
  clear(): void;
}

export function createKeyCache<K>(max = CACHED_KEYS_MAX): KeyCache<K> {
  let keys = createLru<Promise<K>>(max);
  return {
    get(id, load) {
      const cachedKey = keys.get(id);
      if (cachedKey) return cachedKey;
      const loading = load();
      keys.set(id, loading);
      loading.catch(() => keys.delete(id));
      return loading;
    },
    clear() {
      keys = createLru(max);
    },
  };
}
