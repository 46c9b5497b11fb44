/** Waiting items in a line for each owner, which take turns. */
export interface FairQueue<T> {
  readonly size: number;
  /**
   * Adds an item at the end of its owner's line. Returns the item that has no place: where the queue is full, the last of
   * the longest line, which may be this one.
   */
  add(owner: string, item: T): T | undefined;
  /** Removes up to `max` items that may be taken, one of each owner in turn. Asks about each item once. */
  take(max: number, mayTake: (item: T) => boolean): T[];
}

/** Creates an empty queue for `size_max` items. */
export function createFairQueue<T>(size_max: number): FairQueue<T> {
  const lines = new Map<string, T[]>();
  let size = 0;

  const push = (owner: string, item: T): void => {
    const line = lines.get(owner);
    if (line) line.push(item);
    else lines.set(owner, [item]);
    size++;
  };

  /** Takes one item of a line from `asked` on, whose owner is then the last in turn. Those before were refused. */
  function takeOne(owner: string, asked: Map<string, number>, mayTake: (item: T) => boolean): T[] {
    const line = lines.get(owner) ?? [];
    const from = asked.get(owner) ?? 0;
    const at = line.findIndex((item, index) => index >= from && mayTake(item));
    if (at < 0) return [];
    asked.set(owner, at);
    const taken = line.splice(at, 1);
    lines.delete(owner);
    if (line.length > 0) lines.set(owner, line);
    size--;
    return taken;
  }

  return {
    get size() {
      return size;
    },
    add(owner, item) {
      let displaced: T | undefined;
      if (size >= size_max) {
        const longest = longestOf([...lines.values()]);
        if (longest.length <= (lines.get(owner)?.length ?? 0) + 1) return item;
        displaced = longest.pop();
        size--;
      }
      push(owner, item);
      return displaced;
    },
    take(max, mayTake) {
      const taken: T[] = [];
      const asked = new Map<string, number>();
      const give = (item: T): boolean => taken.length < max && mayTake(item);
      for (let owners = [...lines.keys()]; owners.length > 0 && taken.length < max; ) {
        owners = owners.filter((owner) => {
          const one = takeOne(owner, asked, give);
          taken.push(...one);
          return one.length > 0;
        });
      }
      return taken;
    },
  };
}

const longestOf = <T>(lines: readonly T[][]): T[] =>
  lines.reduce((longest, line) => (line.length > longest.length ? line : longest), []);
