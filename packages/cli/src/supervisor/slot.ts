import { setTimeout as sleep } from 'node:timers/promises';
import { describeFailure, PlainFailure } from '../kernel/plain-failure.ts';
import type { ReadyMessage } from './child-message.ts';
import { createRestartBudget, RESTARTS_MAX } from './restart-budget.ts';

/** One run of a service. */
export interface ServiceRun {
  /** Rejects with a `PlainFailure` if the service cannot start. */
  readonly ready: Promise<ReadyMessage>;
  /** Resolves when the run has ended, for any reason. */
  readonly exited: Promise<void>;
  /** Asks the service to end, and kills it after `limit_ms` milliseconds; 0 kills it immediately. */
  stop(limit_ms?: number): Promise<void>;
}

export interface Service {
  readonly title: string;
  /** Starts a run. `previousReady` is the ready message of the previous run. */
  start(previousReady?: ReadyMessage): ServiceRun;
}

/** Callbacks of a slot to its supervisor. */
export interface SlotEvents {
  print(sentence: string): void;
  fail(failure: PlainFailure): void;
  /** Whether all services are being stopped: an exit is then expected, also before this slot's turn. */
  isStopping(): boolean;
  /** Whether the disk is too full to run services. While it is, exits do not count as failures. */
  diskFull(): boolean;
}

/** Keeps one service running: restarts it after every unrequested exit. */
export interface Slot {
  start(): Promise<ReadyMessage>;
  stop(limit_ms?: number): Promise<void>;
}

const RESTART_PAUSE_MS = 300;
/** A service manager signals all processes. A child may end before the supervisor handles its own signal. */
const SIGNAL_SPREAD_MS = 50;
/** Pause between starts while the disk is full, because each start costs a second of CPU time. */
const FULL_PAUSE_MS = 2_000;

export function createSlot(service: Service, events: SlotEvents): Slot {
  const { print, fail } = events;
  const mayRestart = createRestartBudget();
  let currentRun: ServiceRun | undefined;
  let lastReady: ReadyMessage | undefined;
  let isStopped = false;

  async function launch(): Promise<ReadyMessage> {
    currentRun = service.start(lastReady);
    // The run may end before its promise is awaited: without a handler, the rejection would end the process.
    currentRun.ready.catch(() => {});
    lastReady = await currentRun.ready;
    return lastReady;
  }

  async function guard(): Promise<void> {
    let hasReportedFull = false;
    for (;;) {
      await currentRun?.exited;
      await sleep(SIGNAL_SPREAD_MS);
      if (isStopped || events.isStopping()) return;
      const isFull = events.diskFull();
      if (!isFull && !mayRestart(performance.now())) return fail(tooManyRestarts(service.title));
      if (!isFull) print(`${service.title} ended unexpectedly; restarting it.`);
      else if (!hasReportedFull) print(diskFullMessage(service.title));
      hasReportedFull = isFull;
      await sleep(isFull ? FULL_PAUSE_MS : RESTART_PAUSE_MS);
      if (isStopped) return;
      if (await relaunch(isFull)) hasReportedFull = false;
    }
  }

  /** Restarts the service; returns whether it runs. Failures due to a full disk are not reported again. */
  async function relaunch(isFull: boolean): Promise<boolean> {
    try {
      await launch();
      return true;
    } catch (error) {
      if (!isStopped && !isFull) print(describeFailure(error));
      await currentRun?.stop(0);
      return false;
    }
  }

  return {
    async start() {
      const ready = await launch();
      guard().catch((error: unknown) => fail(new PlainFailure(describeFailure(error))));
      return ready;
    },
    async stop(limit_ms) {
      isStopped = true;
      await currentRun?.stop(limit_ms);
    },
  };
}

const diskFullMessage = (title: string): string =>
  `${title} ended and the disk is full; free some space. Florin restarts it until it runs.`;

const tooManyRestarts = (title: string): PlainFailure =>
  new PlainFailure(`${title} ended ${RESTARTS_MAX + 1} times within a minute, so Florin stops.`);
