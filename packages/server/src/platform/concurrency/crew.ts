import { createRoom } from './room.ts';

/** Works that run beside each other, at most so many at once. */
export interface Crew {
  /** How many more may be started. */
  left(): number;
  /** Resolves as soon as there is room for at least one. */
  free(): Promise<void>;
  /** `work` never rejects. */
  start(work: () => Promise<void>): void;
  /** Resolves when all that were started are done. */
  done(): Promise<unknown>;
}

export function createCrew(max: number): Crew {
  const room = createRoom(max);
  const underWay = new Set<Promise<void>>();
  return {
    left: room.left,
    free: room.free,
    start(work) {
      room.take(1);
      const working = work().finally(() => {
        room.give(1);
        underWay.delete(working);
      });
      underWay.add(working);
    },
    done: () => Promise.all(underWay),
  };
}
