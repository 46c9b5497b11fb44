import { type Clock, type Micros, seconds } from '../../kernel/clock.ts';

/** How many items one lane may keep waiting: enough to keep it busy, too few to crowd out others. */
export const LANE_WAITING_MAX = 128;
/** What an item is taken to need before one has ended. Too short costs another look, too long leaves the lane idle. */
const FIRST_GUESS = seconds(0.03);
/** A lane that is slow now may be fast again: nobody is sent away for longer. */
const AWAY_MAX = seconds(30);
/** One part in so many of the running mean is the newest item. */
const MEAN_OVER = 8;

export interface LanesOptions<T> {
  readonly clock: Clock;
  /** Must not reject. */
  readonly run: (item: T) => Promise<void>;
  readonly laneOf: (item: T) => string;
  /** How many items of the item's lane may run at once. */
  readonly limitOf: (item: T) => number;
  /** How many items of all lanes may run at once. */
  readonly running_max: number;
}

export interface Lanes<T> {
  /** Takes the item, to run it in its turn; where its lane has enough waiting, says when to come again. */
  offer(item: T): Micros | undefined;
  /** Items that run or wait. */
  held(): number;
  /** Starts nothing more, waits for what runs, and gives back what was waiting. */
  drain(): Promise<T[]>;
}

interface Lane {
  running: number;
  waiting: number;
  /** How long its items run, on average. */
  mean: Micros;
  /** When there will be room for the next one that is sent away. */
  room_at: Micros;
}

/** Runs items at once, with a limit for all and one for each lane: a full lane does not hold up the others. */
export function createLanes<T>(options: LanesOptions<T>): Lanes<T> {
  const { clock, run, laneOf, limitOf, running_max } = options;
  const lanes = new Map<string, Lane>();
  const running = new Set<Promise<void>>();
  let queue: T[] = [];
  let draining = false;

  function laneFor(item: T): Lane {
    const lane = lanes.get(laneOf(item)) ?? newLane();
    lanes.set(laneOf(item), lane);
    return lane;
  }

  function pump(): void {
    for (let at = 0; !draining && at < queue.length && running.size < running_max; ) {
      const item = queue[at] as T;
      if (laneFor(item).running >= limitOf(item)) at++;
      else {
        queue.splice(at, 1);
        start(item);
      }
    }
  }

  function start(item: T): void {
    const lane = laneFor(item);
    const started_at = clock.now();
    lane.waiting--;
    lane.running++;
    const done = run(item).finally(() => {
      running.delete(done);
      lane.running--;
      lane.mean += (clock.now() - started_at - lane.mean) / MEAN_OVER;
      if (lane.running + lane.waiting === 0) lanes.delete(laneOf(item));
      pump();
    });
    running.add(done);
  }

  return {
    offer(item) {
      const lane = laneFor(item);
      if (draining) return clock.now();
      if (lane.waiting >= LANE_WAITING_MAX) return sendAway(lane, limitOf(item), clock.now());
      lane.waiting++;
      queue.push(item);
      pump();
      return undefined;
    },
    held: () => queue.length + running.size,
    async drain() {
      draining = true;
      const waiting = queue;
      queue = [];
      await Promise.all(running);
      return waiting;
    },
  };
}

const newLane = (): Lane => ({ running: 0, waiting: 0, mean: FIRST_GUESS, room_at: 0 });

/** Those sent away come again one by one, as fast as the lane works, from when half of its queue is done. */
function sendAway(lane: Lane, limit: number, now: Micros): Micros {
  const each = lane.mean / limit;
  lane.room_at = Math.max(lane.room_at, now + (each * lane.waiting) / 2) + each;
  return Math.round(Math.min(lane.room_at, now + AWAY_MAX));
}
