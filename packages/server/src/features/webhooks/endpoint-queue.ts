import { type Micros, seconds } from '../../platform/time/clock.ts';

/**
 * Maximum number of waiting items in a quick queue: enough to keep it busy, too few to displace
 * other queues.
 */
export const QUEUE_WAITING_MAX = 128;
/**
 * Maximum number of running, and of waiting, items before an endpoint's first response and after a
 * timeout.
 */
export const UNPROVEN_MAX = 8;
/** A queue is slow while one of its items runs longer than this. */
const SLOW_AFTER: Micros = seconds(1);

/** Items for one endpoint, which run concurrently up to the endpoint's own limit. */
export interface EndpointQueue<T> {
  /** Queues of the same group share a limit. */
  readonly group: string;
  readonly waiting: T[];
  /** Start times of the running items, oldest first. */
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

/** Number of the queue's items that may run concurrently. */
export const concurrencyOf = <T>({ limit, proven }: EndpointQueue<T>): number =>
  proven ? limit : Math.min(limit, UNPROVEN_MAX);

export function speedOf<T>({ proven, started }: EndpointQueue<T>, now: Micros): 'slow' | 'quick' {
  const [oldest] = started;
  return !proven || (oldest && now - oldest.at > SLOW_AFTER) ? 'slow' : 'quick';
}

/** Number of further items that the queue accepts. */
export function capacityOf<T>(queue: EndpointQueue<T>, now: Micros): number {
  const waiting_max = speedOf(queue, now) === 'slow' ? UNPROVEN_MAX : QUEUE_WAITING_MAX;
  return Math.max(0, concurrencyOf(queue) + waiting_max - sizeOf(queue));
}
