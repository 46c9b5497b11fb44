import type { Logger } from '../logger.ts';
import type { Clock } from '../time/clock.ts';
import type { DueRows, DueWatch } from './due-watch.ts';
import type { LoopStatuses } from './loop-statuses.ts';
import type { Signal } from './signal.ts';

/** Parts of the services that every loop uses. */
export interface LoopServices {
  readonly logger: Logger;
  /** A jump of the clock wakes the loop, unless it has `due` rows. */
  readonly clock: Pick<Clock, 'moved'>;
  /** Wakes loops with `due` rows; absent: these poll like others. */
  readonly due_watch?: DueWatch | undefined;
  /** Receives the loop's status; absent: the loop has no heartbeat. */
  readonly loop_statuses?: LoopStatuses | undefined;
}

export interface LoopOptions {
  readonly name: string;
  /** Wakes the loop; absent if all work becomes due by time. */
  readonly wake?: Signal;
  /** All rows that the loop works on. The watch then wakes the loop, which itself polls less often. */
  readonly due?: readonly DueRows[];
  /** Poll interval. Polling finds work of other processes, and work that becomes due by time. */
  readonly poll_ms: number;
  /** Does due work; returns true if there may be more. */
  readonly step: () => Promise<boolean>;
}

const FAILURE_WAIT_MS = 500;
/** Polls of the watch between two polls of a loop that it wakes. */
const WATCHED_POLLS = 10;

/** Runs `step` on every wake and poll, one step at a time, until disposal. */
export function startLoop(services: LoopServices, options: LoopOptions): AsyncDisposable {
  const { logger, clock, due_watch, loop_statuses } = services;
  const { name, wake, due = [], step } = options;
  const isWatched = due_watch !== undefined && due.length > 0;
  const poll_ms = isWatched ? WATCHED_POLLS * options.poll_ms : options.poll_ms;
  const reporter = loop_statuses?.begin(name, poll_ms);
  const failures = createFailureLog(logger, name);
  const state = { isStopping: false, wasWoken: true };
  let wakeSleep: (() => void) | undefined;
  const wakeUp = (): void => {
    state.wasWoken = true;
    wakeSleep?.();
  };
  const unlisteners = [
    wake?.listen(wakeUp),
    ...(isWatched
      ? due.map((rows) => due_watch.listen(rows, wakeUp))
      : [clock.moved?.listen(wakeUp)]),
  ];

  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(endSleep, ms);
      function endSleep(): void {
        clearTimeout(timer);
        wakeSleep = undefined;
        resolve();
      }
      wakeSleep = endSleep;
    });

  const run = async (): Promise<void> => {
    while (!state.isStopping) {
      state.wasWoken = false;
      try {
        const hasMore = await step();
        reporter?.recordStep();
        failures.end();
        if (hasMore) continue;
      } catch (error) {
        const { message } = error as Error;
        reporter?.recordFailure(message);
        failures.add(message);
        await sleep(FAILURE_WAIT_MS);
      }
      if (!state.wasWoken && !state.isStopping) await sleep(poll_ms);
    }
  };

  const loopPromise = run();
  return {
    async [Symbol.asyncDispose]() {
      state.isStopping = true;
      for (const stop of unlisteners) stop?.();
      wakeUp();
      await loopPromise;
    },
  };
}

/**
 * Logs the first failure in a row, the second, the fourth, and so on, then the end of the row. In an outage of the
 * database every loop fails twice a second.
 */
function createFailureLog(logger: Pick<Logger, 'error' | 'info'>, loop: string) {
  let count = 0;
  return {
    add(why: string): void {
      count += 1;
      if (Number.isInteger(Math.log2(count)))
        logger.error({ loop, why, failures: count }, 'work loop step failed');
    },
    end(): void {
      if (count > 1) logger.info({ loop, failures: count }, 'work loop works again');
      count = 0;
    },
  };
}
