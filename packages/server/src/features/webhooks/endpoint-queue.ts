import { type Micros, seconds } from '../../platform/time/clock.ts';

/** How many items a quick lane may keep waiting: enough to keep it busy, too few to crowd out others. */
export const QUEUE_WAITING_MAX = 128;
/** Running and waiting items of a queue before its first response and after a timeout. */
export const UNPROVEN_MAX = 8;
/** An item that runs for longer makes its lane a slow one. */
const SLOW_AFTER: Micros = seconds(1);

/** Items of one kind, run at once up to a limit of their own. */
export interface EndpointQueue<T> {
  /** Lanes of one group share what each of them may hold. */
  readonly group: string;
  readonly waiting: T[];
  /** When those that run were started, the oldest first. */
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

export const heldIn = <T>(lane: EndpointQueue<T>): number =>
  lane.waiting.length + lane.started.size;
export const isIdle = <T>(lane: EndpointQueue<T>): boolean => heldIn(lane) === 0;

/** How many of its items may run. */
export const widthOf = <T>({ limit, proven }: EndpointQueue<T>): number =>
  proven ? limit : Math.min(limit, UNPROVEN_MAX);

export function kindOf<T>({ proven, started }: EndpointQueue<T>, now: Micros): 'slow' | 'quick' {
  const [oldest] = started;
  return !proven || (oldest && now - oldest.at > SLOW_AFTER) ? 'slow' : 'quick';
}

/** How many items it may be given. */
export function roomOf<T>(lane: EndpointQueue<T>, now: Micros): number {
  const waiting_max = kindOf(lane, now) === 'slow' ? UNPROVEN_MAX : QUEUE_WAITING_MAX;
  return Math.max(0, widthOf(lane) + waiting_max - heldIn(lane));
}
