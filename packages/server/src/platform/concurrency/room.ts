/** Counts what is in flight against a limit. */
export interface Room {
  /** How many more there is room for. */
  left(): number;
  take(count: number): void;
  give(count: number): void;
  /** Resolves as soon as there is room for as many, by default one, or nobody wants it any more. */
  free(count?: number, unwanted?: AbortSignal): Promise<void>;
}

export function createRoom(max: number): Room {
  let taken = 0;
  let waiting: (() => void)[] = [];
  const wakeAll = (): void => {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  return {
    left: () => max - taken,
    take(count) {
      taken += count;
    },
    give(count) {
      taken -= count;
      wakeAll();
    },
    async free(count = 1, unwanted) {
      unwanted?.addEventListener('abort', wakeAll, { once: true });
      while (max - taken < count && !unwanted?.aborted) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}
