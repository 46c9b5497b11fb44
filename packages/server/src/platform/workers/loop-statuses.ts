import type { Clock, Micros } from '../time/clock.ts';

/** Status of a work loop of this process. */
export interface LoopStatus {
  readonly loop: string;
  /** Poll interval, in milliseconds. */
  readonly poll_ms: number;
  readonly started_at: Micros;
  /** End of the last successful step. */
  readonly stepped_at?: Micros;
  /** The last step's error and its time; cleared by the next successful step. */
  readonly error?: string;
  readonly error_at?: Micros;
}

/** Receives the status of one loop. */
export interface LoopReporter {
  recordStep(): void;
  recordFailure(message: string): void;
}

/** Status of this process's work loops, by name. */
export interface LoopStatuses {
  begin(loop: string, poll_ms: number): LoopReporter;
  list(): readonly LoopStatus[];
}

export function createLoopStatuses({ now }: Pick<Clock, 'now'>): LoopStatuses {
  const statuses = new Map<string, LoopStatus>();
  return {
    begin(loop, poll_ms) {
      const initial: LoopStatus = { loop, poll_ms, started_at: now() };
      statuses.set(loop, initial);
      return {
        recordStep: () => void statuses.set(loop, { ...initial, stepped_at: now() }),
        recordFailure(error) {
          statuses.set(loop, { ...(statuses.get(loop) ?? initial), error, error_at: now() });
        },
      };
    },
    list: () => [...statuses.values()],
  };
}
