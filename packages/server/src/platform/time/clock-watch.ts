import { CLOCKS_APART_MS_MAX } from '@florin/contract/protocol/vault.ts';
import type { Logger } from '../logger.ts';
import type { Clock, Micros } from './clock.ts';

/** Interval between checks of the database's clock, in milliseconds. */
const POLL_MS = 2_000;

export type OtherClock = 'vault' | 'database';

/** Clocks of other systems compared with this server's clock. */
export interface Clocks {
  /**
   * Smallest possible offset of each clock from this server's: negative if slow, 0 if the round trip can
   * explain the difference.
   */
  offsets(): ReadonlyMap<OtherClock, Micros>;
  /** Whether times of this server may be compared with times of the other clocks. */
  agree(): boolean;
}

export interface ClockWatch extends Clocks, AsyncDisposable {
  /** Reads another clock by calling `readOther`, and compares it. Returns its result, or throws its error. */
  compare<T>(
    otherClock: OtherClock,
    readOther: () => Promise<T>,
    timeOf: (answer: T) => Micros,
  ): Promise<T>;
}

export interface ClockWatchOptions {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error' | 'info'>;
  /** Reads the database's time; absent in tests that control the clock. */
  readonly databaseTime?: (() => Promise<Micros>) | undefined;
}

/** Compares the database's clock once before the returned promise resolves, then regularly until disposal. */
export async function startClockWatch(options: ClockWatchOptions): Promise<ClockWatch> {
  const { clock, logger, databaseTime } = options;
  const differences = new Map<OtherClock, Micros>();
  const state = { isClosed: false };
  let timer: NodeJS.Timeout | undefined;

  const compare: ClockWatch['compare'] = async (otherClock, readOther, timeOf) => {
    const startedAt = clock.now();
    const answer = await readOther();
    if (databaseTime) noteDifference(otherClock, startedAt, timeOf(answer));
    return answer;
  };

  function noteDifference(otherClock: OtherClock, startedAt: Micros, otherTime: Micros): void {
    const endedAt = clock.now();
    const offset = leastAhead(startedAt, otherTime, endedAt);
    // A slow response can hide a difference, so it does not prove that the clocks agree again.
    if (!isApart(offset) && isApart(endedAt - startedAt)) return;
    const wasApart = isApart(differences.get(otherClock) ?? 0);
    differences.set(otherClock, offset);
    if (wasApart === isApart(offset)) return;
    const difference = { clock: otherClock, ahead_ms: Math.round(offset / 1_000) };
    if (wasApart) logger.info(difference, 'the clocks agree again');
    else logger.error(difference, 'two clocks differ: synchronise the system clocks');
  }

  async function poll(): Promise<void> {
    // Other users of the database report its failures.
    if (databaseTime) await compare('database', databaseTime, (now) => now).catch(() => undefined);
    if (!state.isClosed) timer = setTimeout(poll, POLL_MS).unref();
  }

  await poll();
  return {
    offsets: () => differences,
    agree: () => ![...differences.values()].some(isApart),
    compare,
    async [Symbol.asyncDispose]() {
      state.isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** Whether a clock differs by more than signed messages tolerate. */
export const isApart = (offset: Micros): boolean => Math.abs(offset) > CLOCKS_APART_MS_MAX * 1_000;

/** Smallest possible lead. The other clock was read between the two readings of this server's clock. */
function leastAhead(startedAt: Micros, otherTime: Micros, endedAt: Micros): Micros {
  if (otherTime > endedAt) return otherTime - endedAt;
  return Math.min(0, otherTime - startedAt);
}
