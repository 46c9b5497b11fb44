import { createFairQueue } from './fair-queue.ts';
import { type ExceededLimit, OverloadedError } from './overloaded.ts';

interface Bounds {
  /** Number of slots: maximum of concurrently running work. */
  readonly max: number;
  /** Maximum queue length of `run`. Default 0: `run` refuses work when no slot is free. */
  readonly waiting_max?: number;
}

export interface LimiterOptions {
  /** Bounds of all keys together. Default: no limit. */
  readonly total?: Bounds;
  /** Bounds of each key. Default: no limit. */
  readonly per_key?: Bounds;
  /** Longest wait in the queue of `run`, in milliseconds. Default: no limit. */
  readonly wait_max_ms?: number;
  /** Called when a key with all slots in use releases one. The key's other work may wait elsewhere. */
  readonly onKeyFree?: (key: string) => void;
}

/**
 * Concurrency limiter of this process. Running work uses one slot of the total and one of its key; work
 * without a key uses the key ''. Two ways to use it:
 * - `run` waits for a slot. Keys take turns; work of one key starts in order of arrival.
 * - A work loop awaits `whenFree`, claims as much as `free` returns, and calls `start` or `take`, which never
 *   wait.
 */
export interface Limiter {
  /**
   * Runs `work` when a slot is free. Rejects with `OverloadedError` after `wait_max_ms`, or when the queue is
   * full: then the key with the most waiting work loses its newest.
   */
  run<T>(work: () => Promise<T>, key?: string): Promise<T>;
  /** Starts `work` without waiting for a slot. `work` must not reject. */
  start(work: () => Promise<void>, key?: string): void;
  /** Uses one slot until `release`. */
  take(key?: string): void;
  release(key?: string): void;
  /** Free slots of all keys. Negative if `start` and `take` exceeded the limit. */
  free(): number;
  /** Resolves when `count` slots are free, or `signal` aborts. */
  whenFree(count?: number, signal?: AbortSignal): Promise<void>;
  /** Resolves when no slot is in use. */
  whenIdle(): Promise<void>;
  /** Used slots by key; keys without used slots are absent. */
  readonly used: ReadonlyMap<string, number>;
}

interface WaitingWork {
  readonly key: string;
  start(): void;
  refuse(exceeded: ExceededLimit): void;
}

const UNLIMITED: Bounds = {
  max: Number.POSITIVE_INFINITY,
  waiting_max: Number.POSITIVE_INFINITY,
};

export function createLimiter(options: LimiterOptions): Limiter {
  const { total = UNLIMITED, per_key: keyBounds = UNLIMITED, wait_max_ms, onKeyFree } = options;
  const [waiting_max, key_waiting_max] = [total.waiting_max ?? 0, keyBounds.waiting_max ?? 0];
  const slots = createSlots(total.max, keyBounds.max);
  const queue = createFairQueue<WaitingWork>(waiting_max);

  function startWaiting(): void {
    const mayStart = ({ key }: WaitingWork): boolean => slots.isFree(key) && slots.take(key);
    for (const { start } of queue.take(slots.free(), mayStart, slots.isFree)) start();
  }

  function release(key = ''): void {
    const wasFull = slots.release(key);
    startWaiting();
    if (wasFull) onKeyFree?.(key);
    slots.wake();
  }

  const ownPart = ({ key }: WaitingWork): Pick<ExceededLimit, 'of_owner'> =>
    key === '' ? {} : { of_owner: queue.waitingOf(key) };

  function waitForSlot(key: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const rejectCall = (exceeded: ExceededLimit): void => {
      clearTimeout(timer);
      reject(new OverloadedError(exceeded));
    };
    const timeOut = (): void => {
      queue.remove(key, waitingCall);
      rejectCall({ limit: 'wait_ms', max: wait_max_ms as number });
    };
    const timer = wait_max_ms === undefined ? undefined : setTimeout(timeOut, wait_max_ms);
    const start = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const waitingCall = { key, start, refuse: rejectCall };
    const isFull = queue.waitingOf(key) >= key_waiting_max;
    const displacedCall = isFull ? waitingCall : queue.add(key, waitingCall);
    displacedCall?.refuse(
      isFull
        ? { limit: 'waiting_per_owner', max: key_waiting_max }
        : { limit: 'waiting', max: waiting_max, ...ownPart(displacedCall) },
    );
    return promise;
  }

  return {
    async run(work, key = '') {
      await (slots.free() > 0 && slots.isFree(key) ? slots.take(key) : waitForSlot(key));
      try {
        return await work();
      } finally {
        release(key);
      }
    },
    start(work, key = '') {
      slots.take(key);
      void work().finally(() => release(key));
    },
    take: (key = '') => void slots.take(key),
    release,
    free: slots.free,
    whenFree: slots.whenFree,
    whenIdle: () => slots.waitUntil(() => slots.used.size === 0),
    used: slots.used,
  };
}

/** Counts used slots, and resolves waits for a number of free slots. */
function createSlots(max: number, key_max: number) {
  const usedSlots = new Map<string, number>();
  let total = 0;
  let sleepers: (() => void)[] = [];
  const usedBy = (key: string): number => usedSlots.get(key) ?? 0;

  function wake(): void {
    const resumedSleepers = sleepers;
    sleepers = [];
    for (const resume of resumedSleepers) resume();
  }

  async function waitUntil(isDone: () => boolean): Promise<void> {
    while (!isDone()) await new Promise<void>((resolve) => sleepers.push(resolve));
  }

  return {
    used: usedSlots,
    wake,
    waitUntil,
    free: () => max - total,
    isFree: (key: string) => usedBy(key) < key_max,
    take(key: string): true {
      total++;
      usedSlots.set(key, usedBy(key) + 1);
      return true;
    },
    /** Releases a slot; returns whether the key had all its slots in use. */
    release(key: string): boolean {
      const previouslyUsed = usedBy(key);
      total--;
      if (previouslyUsed > 1) usedSlots.set(key, previouslyUsed - 1);
      else usedSlots.delete(key);
      return previouslyUsed >= key_max;
    },
    whenFree(count = 1, signal?: AbortSignal): Promise<void> {
      signal?.addEventListener('abort', wake, { once: true });
      return waitUntil(() => max - total >= count || signal?.aborted === true);
    },
  };
}
