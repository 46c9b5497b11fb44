import { type Micros, seconds } from '../../platform/time/clock.ts';

/** Waiting items of a quick queue: enough to keep it busy, too few to crowd out others. */
export const QUEUE_WAITING_MAX = 128;
/** Running and waiting items of a queue before its first response and after a timeout. */
export const UNPROVEN_MAX = 8;
/** An item that runs for longer makes its queue a slow one. */
const SLOW_AFTER: Micros = seconds(1);

/** Items for one endpoint, run concurrently up to its own limit. */
export interface EndpointQueue<T> {
  /** Queues of one group share a limit. */
  readonly group: string;
  readonly waiting: T[];
  /** Start times of the running items, the oldest first. */
  readonly started: Set<{ readonly at: Micros }>;
  limit: number;
  proven: boolean;
}

export const newEndpointQueue = <T>(group: string): EndpointQueue<T> => ({
  group,
  waiting: [],
  started: new Set(),
  limit: 1,
  proven: false,
});

export const sizeOf = <T>(queue: EndpointQueue<T>): number =>
  queue.waiting.length + queue.started.size;
export const isIdle = <T>(queue: EndpointQueue<T>): boolean => sizeOf(queue) === 0;

/** How many of its items may run concurrently. */
export const concurrencyOf = <T>({ limit, proven }: EndpointQueue<T>): number =>
  proven ? limit : Math.min(limit, UNPROVEN_MAX);

export function speedOf<T>({ proven, started }: EndpointQueue<T>, now: Micros): 'slow' | 'quick' {
  const [oldest] = started;
  return !proven || (oldest && now - oldest.at > SLOW_AFTER) ? 'slow' : 'quick';
}

/** How many more items it may hold. */
export function capacityOf<T>(queue: EndpointQueue<T>, now: Micros): number {
  const waiting_max = speedOf(queue, now) === 'slow' ? UNPROVEN_MAX : QUEUE_WAITING_MAX;
  return Math.max(0, concurrencyOf(queue) + waiting_max - sizeOf(queue));
}
