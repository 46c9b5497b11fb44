/** A map that forgets what was not used for longest once it holds `limit` entries. */
interface Lru<V> {
  get(key: string, make: () => V): V;
}

/** Makes an empty one. */
export function lru<V>(limit: number): Lru<V> {
  const entries = new Map<string, V>();
  return {
    get(key, make) {
      const known = entries.get(key);
      if (known !== undefined) {
        entries.delete(key);
        entries.set(key, known);
        return known;
      }
      const made = make();
      if (entries.size >= limit) entries.delete(entries.keys().next().value as string);
      entries.set(key, made);
      return made;
    },
  };
}
