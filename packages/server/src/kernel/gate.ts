import { OverloadedError } from './batcher.ts';

export interface GateOptions {
  /** Works under way at once. */
  readonly places: number;
  readonly queue_max: number;
}

/** Runs a work when a place is free, in order of arrival; rejects with `OverloadedError` where the queue is full. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

export function createGate({ places, queue_max }: GateOptions): Gate {
  const queue: (() => void)[] = [];
  let free = places;
  const enter = (): Promise<void> | undefined => {
    if (free > 0) {
      free--;
      return undefined;
    }
    if (queue.length >= queue_max) throw new OverloadedError(`more than ${queue_max} are waiting`);
    return new Promise((resolve) => queue.push(resolve));
  };
  /** Hands the place to the next in line, or frees it. */
  const leave = (): void => {
    const next = queue.shift();
    if (next) next();
    else free++;
  };
  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
