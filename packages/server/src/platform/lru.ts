/** A map that forgets what was not used for longest once it holds `limit` entries. */
export interface Lru<V> {
  /** The entry of a key, which is made where there is none. */
  get(key: string, make: () => V): V;
  find(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
}

/** Makes an empty one. */
export function lru<V>(limit: number): Lru<V> {
  // A map keeps the order of insertion: what is put in anew is forgotten last.
  const entries = new Map<string, V>();
  const find = (key: string): V | undefined => {
    const known = entries.get(key);
    if (known === undefined) return undefined;
    entries.delete(key);
    entries.set(key, known);
    return known;
  };
  const set = (key: string, value: V): void => {
    if (!entries.delete(key) && entries.size >= limit)
      entries.delete(entries.keys().next().value as string);
    entries.set(key, value);
  };
  return {
    find,
    set,
    get(key, make) {
      const known = find(key);
      if (known !== undefined) return known;
      const made = make();
      set(key, made);
      return made;
    },
    delete(key) {
      entries.delete(key);
    },
  };
}
