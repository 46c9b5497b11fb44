/** Counts what is in flight against a limit. */
export interface Room {
  /** How many more there is room for. */
  left(): number;
  take(count: number): void;
  give(count: number): void;
  /** Resolves as soon as there is room for at least one. */
  free(): Promise<void>;
}

export function createRoom(max: number): Room {
  let taken = 0;
  let waiting: (() => void)[] = [];
  return {
    left: () => max - taken,
    take(count) {
      taken += count;
    },
    give(count) {
      taken -= count;
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
    async free() {
      while (taken >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
