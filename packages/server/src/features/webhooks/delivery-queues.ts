import type { Clock, Micros } from '../../platform/time/clock.ts';
import { type ClaimCapacity, claimCapacityOf, isHalfFree } from './claim-capacity.ts';
import {
  concurrencyOf,
  type EndpointQueue,
  isIdle,
  newEndpointQueue,
  speedOf,
} from './endpoint-queue.ts';

/** Maximum number of idle queues in memory. */
const IDLE_MAX = 256;

export interface DeliveryQueuesOptions<T> {
  readonly clock: Clock;
  /**
   * Runs an item; must not reject. Resolves with whether the endpoint responded in time; undefined
   * if nothing was sent.
   */
  readonly run: (item: T) => Promise<boolean | undefined>;
  /** Called after an item of the queue has ended and further items have started. */
  readonly onEnd?: (queue: string) => void;
  readonly queueOf: (item: T) => string;
  /** Group of an item; equal for all items of a queue. */
  readonly groupOf: (item: T) => string;
  /** Limit of concurrent items in the item's queue. */
  readonly limitOf: (item: T) => number;
  /** Limit of concurrent items in all quick queues. */
  readonly running_max: number;
  /** Limit of concurrent items in all slow queues. Each queue can always run one item. */
  readonly slow_max: number;
  /** Limit of running and waiting items in one group. */
  readonly group_max: number;
}

export interface DeliveryQueues<T> {
  /** Appends an item to its queue. */
  add(item: T): void;
  /** Free capacity of all queues. */
  capacity(): ClaimCapacity;
  /** Whether at least half of the capacity of a queue, and of its group, is free. */
  isHalfFree(queue: string): boolean;
  /** Removes and returns the waiting items of a queue. */
  removeWaiting(queue: string): T[];
  /** Number of running and waiting items. */
  held(): number;
  /** Starts no more items and waits for the running ones. Returns the waiting items. */
  drain(): Promise<T[]>;
}

/**
 * Runs items concurrently, with a limit per queue. Slow and new queues share a separate capacity,
 * so that they never delay quick queues.
 */
export function createDeliveryQueues<T>(options: DeliveryQueuesOptions<T>): DeliveryQueues<T> {
  const { clock, run, onEnd, queueOf, groupOf, limitOf, running_max, slow_max, group_max } =
    options;
  const queues = new Map<string, EndpointQueue<T>>();
  const runningItems = new Set<Promise<void>>();
  let waitingCount = 0;
  let isDraining = false;

  function sendNext(): void {
    if (isDraining || waitingCount === 0) return;
    const now = clock.now();
    const busyCounts = { slow: 0, quick: 0 };
    for (const queue of queues.values()) busyCounts[speedOf(queue, now)] += queue.started.size;
    const busyLimits = { slow: slow_max, quick: running_max };
    for (const [name, queue] of queues) {
      const kind = speedOf(queue, now);
      while (queue.waiting.length > 0 && queue.started.size < concurrencyOf(queue)) {
        if (busyCounts[kind] >= busyLimits[kind] && queue.started.size > 0) break;
        busyCounts[kind]++;
        start(name, queue, queue.waiting.shift() as T, now);
      }
    }
  }

  function start(name: string, queue: EndpointQueue<T>, item: T, at: Micros): void {
    const runStart = { at };
    waitingCount--;
    queue.started.add(runStart);
    const runEnd = run(item).then((answered) => {
      runningItems.delete(runEnd);
      queue.started.delete(runStart);
      queue.proven = answered ?? queue.proven;
      // Moves the queue behind all others, so that queues take turns.
      queues.delete(name);
      if (!isIdle(queue) || queues.size < IDLE_MAX) queues.set(name, queue);
      sendNext();
      onEnd?.(name);
    });
    runningItems.add(runEnd);
  }

  const heldCount = (): number => waitingCount + runningItems.size;

  function removeWaiting(name: string): T[] {
    const removedItems = queues.get(name)?.waiting.splice(0) ?? [];
    waitingCount -= removedItems.length;
    return removedItems;
  }

  return {
    add(item) {
      const name = queueOf(item);
      const queue = queues.get(name) ?? newEndpointQueue(groupOf(item));
      queue.limit = limitOf(item);
      queue.waiting.push(item);
      queues.set(name, queue);
      waitingCount++;
      sendNext();
    },
    capacity: () => claimCapacityOf(queues, { slow_max: 2 * slow_max, group_max }, clock.now()),
    isHalfFree: (name) => isHalfFree(queues, name, group_max, clock.now()),
    removeWaiting,
    held: heldCount,
    async drain() {
      isDraining = true;
      await Promise.all(runningItems);
      return [...queues.keys()].flatMap(removeWaiting);
    },
  };
}
