import { OverloadedError } from './batcher.ts';

export interface GateOptions {
  /** Works under way at once. */
  readonly places: number;
  readonly queue_max: number;
  /** Longest wait for a place; without end where it is not said. */
  readonly wait_max_ms?: number;
}

/**
 * Runs a work when a place is free, in order of arrival; rejects with `OverloadedError` where the queue is full
 * or the wait too long.
 */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

export function createGate({ places, queue_max, wait_max_ms }: GateOptions): Gate {
  const queue = new Set<() => void>();
  let free = places;
  const enter = (): Promise<void> | undefined => {
    if (free > 0) {
      free--;
      return undefined;
    }
    if (queue.size >= queue_max) throw new OverloadedError(`more than ${queue_max} are waiting`);
    return waiting(queue, wait_max_ms);
  };
  /** Hands the place to the next in line, or frees it. */
  const leave = (): void => {
    const [next] = queue;
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

function waiting(queue: Set<() => void>, wait_max_ms: number | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = (): void => {
    queue.delete(begin);
    reject(new OverloadedError(`no place was free within ${wait_max_ms} ms`));
  };
  const timer = wait_max_ms === undefined ? undefined : setTimeout(giveUp, wait_max_ms);
  const begin = (): void => {
    clearTimeout(timer);
    queue.delete(begin);
    resolve();
  };
  queue.add(begin);
  return promise;
}

/** A gate for each key, which is there for as long as somebody is inside or waits. */
export type KeyedGate = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createKeyedGate(options: GateOptions): KeyedGate {
  const gates = new Map<string, { readonly gate: Gate; users: number }>();
  return async (key, work) => {
    const entry = gates.get(key) ?? { gate: createGate(options), users: 0 };
    gates.set(key, entry);
    entry.users++;
    try {
      return await entry.gate(work);
    } finally {
      entry.users--;
      if (entry.users === 0) gates.delete(key);
    }
  };
}
