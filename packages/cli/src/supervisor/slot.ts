import { setTimeout as sleep } from 'node:timers/promises';
import { describeFailure, PlainFailure } from '../kernel/plain-failure.ts';
import type { Ready } from './child-message.ts';
import { createRestartBudget, RESTARTS_MAX } from './restart-budget.ts';

/** One run of a service. */
export interface Running {
  /** Rejects with a `PlainFailure` where the service cannot start. */
  readonly ready: Promise<Ready>;
  /** Settles when the run is over, for whatever reason. */
  readonly gone: Promise<void>;
  /** Asks it to end, and ends it after the limit; 0 ends it at once. */
  stop(limit_ms?: number): Promise<void>;
}

export interface Service {
  readonly title: string;
  /** Starts a run; `before` is the ready message of the run before it. */
  start(before?: Ready): Running;
}

/** What a slot tells its supervisor. */
export interface SlotEvents {
  say(sentence: string): void;
  giveUp(failure: PlainFailure): void;
}

/** The place of one service: it starts it, and starts it again whenever it ends unasked. */
export interface Slot {
  start(): Promise<Ready>;
  stop(limit_ms?: number): Promise<void>;
}

const RESTART_PAUSE_MS = 300;

export function createSlot(service: Service, { say, giveUp }: SlotEvents): Slot {
  const mayRestart = createRestartBudget();
  let running: Running | undefined;
  let last: Ready | undefined;
  let stopped = false;

  async function launch(): Promise<Ready> {
    running = service.start(last);
    // It may be over before anyone waits for it.
    running.ready.catch(() => {});
    last = await running.ready;
    return last;
  }

  async function guard(): Promise<void> {
    for (;;) {
      await running?.gone;
      if (stopped) return;
      if (!mayRestart(performance.now())) return giveUp(tooManyRestarts(service.title));
      say(`${service.title} ended unexpectedly; starting it again.`);
      await sleep(RESTART_PAUSE_MS);
      if (stopped) return;
      await launch().catch(async (error: unknown) => {
        if (!stopped) say(describeFailure(error));
        await running?.stop(0);
      });
    }
  }

  return {
    async start() {
      const ready = await launch();
      guard().catch((error: unknown) => giveUp(new PlainFailure(describeFailure(error))));
      return ready;
    },
    async stop(limit_ms) {
      stopped = true;
      await running?.stop(limit_ms);
    },
  };
}

const tooManyRestarts = (title: string): PlainFailure =>
  new PlainFailure(`${title} ended ${RESTARTS_MAX + 1} times within a minute, so Florin stops.`);
