import type { Db } from '../../platform/database/db.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Stop, StopState, Stops } from '../../services.ts';
import { readStops } from './sql/stops.ts';

/** Milliseconds until other processes know a new stop. A move waits longer before it relies on it. */
export const STOPS_LIFE_MS = 500;

type Stopped = ReadonlyMap<string, Stop>;

interface StopsDeps {
  readonly db: Db;
  readonly monotonic_ms: () => number;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Concurrent calls share one query. A database that does not answer leaves the last known stops. */
export function createStops({ db, monotonic_ms, logger }: StopsDeps): Stops {
  let known: Stopped = new Map();
  let until = Number.NEGATIVE_INFINITY;
  let running: Promise<Stopped> | undefined;

  async function read(): Promise<Stopped> {
    const next = monotonic_ms() + STOPS_LIFE_MS;
    try {
      known = new Map((await readStops(db)).map((row) => [row.merchant_id as string, stopOf(row)]));
    } catch (error) {
      logger.warn({ err: { message: (error as Error).message } }, 'moving merchants not read');
    }
    until = next;
    return known;
  }

  return {
    current() {
      if (until > monotonic_ms()) return known;
      running ??= read().finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}

const stopOf = ({ state, other_cell }: Awaited<ReturnType<typeof readStops>>[number]): Stop => ({
  state: state as StopState,
  other_cell: other_cell as string,
});
