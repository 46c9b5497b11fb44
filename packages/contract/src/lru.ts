/** A map that evicts its least recently used entry when it exceeds its limit. `undefined` is no value. */
export interface Lru<V> {
  /** The value of a key, which counts as a use. */
  get(key: string): V | undefined;
  /** The value of a key. Stores the result of `create` if there is none. */
  getOrCreate(key: string, create: () => V): V;
  set(key: string, value: V): void;
  delete(key: string): void;
}

/** Creates an empty map for at most `max` entries. */
export function createLru<V>(max: number): Lru<V> {
  // A map iterates in order of insertion: each use inserts the entry again, behind all others.
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
      const known = get(key);
      if (known !== undefined) return known;
      const created = create();
      set(key, created);
      return created;
    },
    delete: (key) => void entries.delete(key),
  };
}
