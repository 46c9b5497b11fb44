/**
 * A map that evicts the least recently used entry above its limit. Values must not be `undefined`.
 */
export interface Lru<V> {
  /** Value of a key. Counts as a use. */
  get(key: string): V | undefined;
  /** Value of a key. If the key has none, stores the result of `create`. */
  getOrCreate(key: string, create: () => V): V;
  set(key: string, value: V): void;
  delete(key: string): void;
}

/** Creates an empty map with at most `max` entries. */
export function createLru<V>(max: number): Lru<V> {
  // A `Map` iterates in order of insertion. Each use inserts its entry again at the end.
  const entries = new Map<string, V>();
  const get = (key: string): V | undefined => {
    const value = entries.get(key);
    if (value === undefined) return undefined;
    entries.delete(key);
    entries.set(key, value);
    return value;
  };
  const set = (key: string, value: V): void => {
    entries.delete(key);
    entries.set(key, value);
    const [oldest] = entries.keys();
    if (entries.size > max && oldest !== undefined) entries.delete(oldest);
  };
  return {
    get,
    set,
    getOrCreate(key, create) {
      const stored = get(key);
      if (stored !== undefined) return stored;
      const created = create();
      set(key, created);
      return created;
    },
    delete: (key) => void entries.delete(key),
  };
}
