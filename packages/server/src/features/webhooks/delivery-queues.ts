import type { Clock, Micros } from '../../platform/time/clock.ts';
import { type ClaimCapacity, claimCapacityOf, isLow } from './claim-capacity.ts';
import { type EndpointQueue, isIdle, kindOf, newEndpointQueue, widthOf } from './endpoint-queue.ts';

/** Lanes that are remembered while nothing is in them. */
const IDLE_MAX = 256;

export interface DeliveryQueuesOptions<T> {
  readonly clock: Clock;
  /** Must not reject. Whether there was an answer, rather than a time-out; undefined where nobody was asked. */
  readonly run: (item: T) => Promise<boolean | undefined>;
  /** Called when an item of the lane has ended, and the next ones have begun. */
  readonly ended?: (lane: string) => void;
  readonly laneOf: (item: T) => string;
  /** Always the same of items of one lane. */
  readonly groupOf: (item: T) => string;
  /** How many items of the item's lane may run at once. */
  readonly limitOf: (item: T) => number;
  /** How many items of all quick lanes may run at once. */
  readonly running_max: number;
  /** How many items of all slow lanes may run at once. Each lane may always run one. */
  readonly slow_max: number;
  /** How many items of one group may be held. */
  readonly group_max: number;
}

export interface DeliveryQueues<T> {
  /** Takes the item, to run it in its turn. */
  offer(item: T): void;
  /** Free capacity now. */
  rooms(): ClaimCapacity;
  /** Whether at least half of what a lane may hold, and its group, could be given to it. */
  isLow(lane: string): boolean;
  /** Gives back what waits in a lane. */
  takeBack(lane: string): T[];
  /** Items that run or wait. */
  held(): number;
  /** Starts nothing more, waits for what runs, and gives back what was waiting. */
  drain(): Promise<T[]>;
}

/**
 * Runs items concurrently, with a limit for each lane. Slow and unknown lanes share a separate capacity, so that any
 * number of them does not delay the quick ones.
 */
export function createDeliveryQueues<T>(options: DeliveryQueuesOptions<T>): DeliveryQueues<T> {
  const { clock, run, ended, laneOf, groupOf, limitOf, running_max, slow_max, group_max } = options;
  const lanes = new Map<string, EndpointQueue<T>>();
  const running = new Set<Promise<void>>();
  let waiting = 0;
  let draining = false;

  function pump(): void {
    if (draining || waiting === 0) return;
    const now = clock.now();
    const busy = { slow: 0, quick: 0 };
    for (const lane of lanes.values()) busy[kindOf(lane, now)] += lane.started.size;
    const most = { slow: slow_max, quick: running_max };
    for (const [name, lane] of lanes) {
      const kind = kindOf(lane, now);
      while (lane.waiting.length > 0 && lane.started.size < widthOf(lane)) {
        if (busy[kind] >= most[kind] && lane.started.size > 0) break;
        busy[kind]++;
        start(name, lane, lane.waiting.shift() as T, now);
      }
    }
  }

  function start(name: string, lane: EndpointQueue<T>, item: T, at: Micros): void {
    const mark = { at };
    waiting--;
    lane.started.add(mark);
    const done = run(item).then((answered) => {
      running.delete(done);
      lane.started.delete(mark);
      lane.proven = answered ?? lane.proven;
      // The lane that was served last comes last.
      lanes.delete(name);
      if (!isIdle(lane) || lanes.size < IDLE_MAX) lanes.set(name, lane);
      pump();
      ended?.(name);
    });
    running.add(done);
  }

  const held = (): number => waiting + running.size;

  function takeBack(name: string): T[] {
    const taken = lanes.get(name)?.waiting.splice(0) ?? [];
    waiting -= taken.length;
    return taken;
  }

  return {
    offer(item) {
      const name = laneOf(item);
      const lane = lanes.get(name) ?? newEndpointQueue(groupOf(item));
      lane.limit = limitOf(item);
      lane.waiting.push(item);
      lanes.set(name, lane);
      waiting++;
      pump();
    },
    rooms: () => claimCapacityOf(lanes, { slow_max: 2 * slow_max, group_max }, clock.now()),
    isLow: (name) => isLow(lanes, name, group_max, clock.now()),
    takeBack,
    held,
    async drain() {
      draining = true;
      await Promise.all(running);
      return [...lanes.keys()].flatMap(takeBack);
    },
  };
}
