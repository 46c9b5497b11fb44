import { type Micros, seconds } from '../../kernel/clock.ts';

/** How many items a quick lane may keep waiting: enough to keep it busy, too few to crowd out others. */
export const LANE_WAITING_MAX = 128;
/** What a lane may run, and keep waiting, before an item of it was answered, and after one that was not. */
export const UNPROVEN_MAX = 8;
/** An item that runs for longer makes its lane a slow one. */
const SLOW_AFTER: Micros = seconds(1);

/** Items of one kind, run at once up to a limit of their own. */
export interface Lane<T> {
  readonly waiting: T[];
  /** When those that run were started, the oldest first. */
  readonly started: Set<{ readonly at: Micros }>;
  limit: number;
  proven: boolean;
}

/** What a lane has room for. */
interface LaneRoom {
  readonly lane: string;
  readonly room: number;
}

export interface Rooms {
  readonly known: readonly LaneRoom[];
  /** What there is room for in each lane that is not known. */
  readonly newcomers: number;
}

export const newLane = <T>(): Lane<T> => ({
  waiting: [],
  started: new Set(),
  limit: 1,
  proven: false,
});

export const heldIn = <T>(lane: Lane<T>): number => lane.waiting.length + lane.started.size;
export const isIdle = <T>(lane: Lane<T>): boolean => heldIn(lane) === 0;

/** How many of its items may run. */
export const widthOf = <T>({ limit, proven }: Lane<T>): number =>
  proven ? limit : Math.min(limit, UNPROVEN_MAX);

export function kindOf<T>({ proven, started }: Lane<T>, now: Micros): 'slow' | 'quick' {
  const [oldest] = started;
  return !proven || (oldest && now - oldest.at > SLOW_AFTER) ? 'slow' : 'quick';
}

/** How many items it may be given. */
export function roomOf<T>(lane: Lane<T>, now: Micros): number {
  const waiting_max = kindOf(lane, now) === 'slow' ? UNPROVEN_MAX : LANE_WAITING_MAX;
  return Math.max(0, widthOf(lane) + waiting_max - heldIn(lane));
}

/** What every lane may be given, where slow ones may hold `slow_max` together. */
export function roomsOf<T>(
  lanes: ReadonlyMap<string, Lane<T>>,
  slow_max: number,
  now: Micros,
): Rooms {
  const all = [...lanes].map(([name, lane]) => ({
    name,
    lane,
    slow: kindOf(lane, now) === 'slow',
  }));
  const held = all.reduce((sum, { lane, slow }) => sum + (slow ? heldIn(lane) : 0), 0);
  const crowded = held >= slow_max;
  return {
    known: all.map(({ name, lane, slow }) => ({
      lane: name,
      room: crowded && slow ? 0 : roomOf(lane, now),
    })),
    newcomers: crowded ? 1 : 2 * UNPROVEN_MAX,
  };
}
