/** Queue with one line per owner. Owners take turns. */
export interface FairQueue<T> {
  readonly size: number;
  /** Number of items in an owner's line. */
  waitingOf(owner: string): number;
  /** Adds an item to its owner's line. In a full queue, removes and returns the last item of the longest line. */
  add(owner: string, item: T): T | undefined;
  /**
   * Removes up to `max` items, one per owner in turn. Calls `mayTake` once per item. Skips the lines of
   * owners that are not `isOpen`.
   */
  take(max: number, mayTake: (item: T) => boolean, isOpen?: (owner: string) => boolean): T[];
  /** Removes an item from its owner's line. */
  remove(owner: string, item: T): void;
}

/** Creates an empty queue for at most `size_max` items. */
export function createFairQueue<T>(size_max: number): FairQueue<T> {
  const lines = new Map<string, T[]>();
  let size = 0;

  const push = (owner: string, item: T): void => {
    const line = lines.get(owner);
    if (line) line.push(item);
    else lines.set(owner, [item]);
    size++;
  };

  /** Takes one item of a line, from the owner's position on, and moves the owner to the end of the turn order. */
  function takeOne(
    owner: string,
    positions: Map<string, number>,
    mayTake: (item: T) => boolean,
  ): T[] {
    const line = lines.get(owner) ?? [];
    const start = positions.get(owner) ?? 0;
    const at = line.findIndex((item, index) => index >= start && mayTake(item));
    if (at < 0) return [];
    positions.set(owner, at);
    const takenItems = line.splice(at, 1);
    lines.delete(owner);
    if (line.length > 0) lines.set(owner, line);
    size--;
    return takenItems;
  }

  return {
    get size() {
      return size;
    },
    waitingOf: (owner) => lines.get(owner)?.length ?? 0,
    add(owner, item) {
      let displacedItem: T | undefined;
      if (size >= size_max) {
        const longestLine = longestOf([...lines.values()]);
        if (longestLine.length <= (lines.get(owner)?.length ?? 0) + 1) return item;
        displacedItem = longestLine.pop();
        size--;
      }
      push(owner, item);
      return displacedItem;
    },
    take(max, mayTake, isOpen = () => true) {
      const takenItems: T[] = [];
      if (size === 0 || max <= 0) return takenItems;
      const positions = new Map<string, number>();
      const mayTakeMore = (item: T): boolean => takenItems.length < max && mayTake(item);
      for (let owners = [...lines.keys()]; owners.length > 0 && takenItems.length < max; ) {
        owners = owners.filter((owner) => {
          const isNext = takenItems.length < max && isOpen(owner);
          const ownerItems = isNext ? takeOne(owner, positions, mayTakeMore) : [];
          takenItems.push(...ownerItems);
          return ownerItems.length > 0;
        });
      }
      return takenItems;
    },
    remove(owner, item) {
      const line = lines.get(owner) ?? [];
      const at = line.indexOf(item);
      if (at < 0) return;
      line.splice(at, 1);
      size--;
      if (line.length === 0) lines.delete(owner);
    },
  };
}

const longestOf = <T>(lines: readonly T[][]): T[] =>
  lines.reduce((longest, line) => (line.length > longest.length ? line : longest), []);
