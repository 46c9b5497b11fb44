import type { Clock, Micros } from '../../platform/time/clock.ts';
import { type ClaimCapacity, claimCapacityOf, isHalfFree } from './claim-capacity.ts';
import {
  concurrencyOf,
  type EndpointQueue,
  isIdle,
  newEndpointQueue,
  speedOf,
} from './endpoint-queue.ts';

/** Idle queues that stay in memory. */
const IDLE_MAX = 256;

export interface DeliveryQueuesOptions<T> {
  readonly clock: Clock;
  /** Must not reject. Whether the endpoint responded in time; undefined if nothing was sent. */
  readonly run: (item: T) => Promise<boolean | undefined>;
  /** Called after an item of the queue has ended and the next ones have started. */
  readonly ended?: (queue: string) => void;
  readonly queueOf: (item: T) => string;
  /** The same for all items of a queue. */
  readonly groupOf: (item: T) => string;
  /** How many items of the item's queue may run concurrently. */
  readonly limitOf: (item: T) => number;
  /** How many items of all quick queues may run concurrently. */
  readonly running_max: number;
  /** How many items of all slow queues may run concurrently. Each queue may always run one. */
  readonly slow_max: number;
  /** How many items of one group may run or wait. */
  readonly group_max: number;
}

export interface DeliveryQueues<T> {
  /** Appends the item to its queue. */
  add(item: T): void;
  /** Free capacity now. */
  capacity(): ClaimCapacity;
  /** Whether at least half of the capacity of a queue, and of its group, is free. */
  isHalfFree(queue: string): boolean;
  /** Removes and returns the waiting items of a queue. */
  removeWaiting(queue: string): T[];
  /** Items that run or wait. */
  held(): number;
  /** Starts no more items, waits for running ones, and returns the waiting ones. */
  drain(): Promise<T[]>;
}

/**
 * Runs items concurrently, with a limit for each queue. Slow and unknown queues share a separate capacity, so that they
 * never delay the quick ones.
 */
export function createDeliveryQueues<T>(options: DeliveryQueuesOptions<T>): DeliveryQueues<T> {
  const { clock, run, ended, queueOf, groupOf, limitOf, running_max, slow_max, group_max } =
    options;
  const queues = new Map<string, EndpointQueue<T>>();
  const running = new Set<Promise<void>>();
  let waiting = 0;
  let draining = false;

  function pump(): void {
    if (draining || waiting === 0) return;
    const now = clock.now();
    const busy = { slow: 0, quick: 0 };
    for (const queue of queues.values()) busy[speedOf(queue, now)] += queue.started.size;
    const most = { slow: slow_max, quick: running_max };
    for (const [name, queue] of queues) {
      const kind = speedOf(queue, now);
      while (queue.waiting.length > 0 && queue.started.size < concurrencyOf(queue)) {
        if (busy[kind] >= most[kind] && queue.started.size > 0) break;
        busy[kind]++;
        start(name, queue, queue.waiting.shift() as T, now);
      }
    }
  }

  function start(name: string, queue: EndpointQueue<T>, item: T, at: Micros): void {
    const mark = { at };
    waiting--;
    queue.started.add(mark);
    const done = run(item).then((answered) => {
      running.delete(done);
      queue.started.delete(mark);
      queue.proven = answered ?? queue.proven;
      // The queue that was served last comes last.
      queues.delete(name);
      if (!isIdle(queue) || queues.size < IDLE_MAX) queues.set(name, queue);
      pump();
      ended?.(name);
    });
    running.add(done);
  }

  const held = (): number => waiting + running.size;

  function removeWaiting(name: string): T[] {
    const taken = queues.get(name)?.waiting.splice(0) ?? [];
    waiting -= taken.length;
    return taken;
  }

  return {
    add(item) {
      const name = queueOf(item);
      const queue = queues.get(name) ?? newEndpointQueue(groupOf(item));
      queue.limit = limitOf(item);
      queue.waiting.push(item);
      queues.set(name, queue);
      waiting++;
      pump();
    },
    capacity: () => claimCapacityOf(queues, { slow_max: 2 * slow_max, group_max }, clock.now()),
    isHalfFree: (name) => isHalfFree(queues, name, group_max, clock.now()),
    removeWaiting,
    held,
    async drain() {
      draining = true;
      await Promise.all(running);
      return [...queues.keys()].flatMap(removeWaiting);
    },
  };
}
