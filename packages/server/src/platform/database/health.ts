import type { Listener } from '@florin/contract/database/connections.ts';
import { type DatabaseFault, databaseFaultOf } from '@florin/contract/database/fault.ts';
import type { Logger } from '../logger.ts';

export interface DatabaseHealth extends Listener {
  /** Cause of the last statement's failure; undefined when the database answers again. */
  currentFault(): DatabaseFault | undefined;
  /** Whether the database has been silent for so long that only a restart may help. */
  isStuck(): boolean;
}

export interface DatabaseHealthOptions {
  readonly monotonic_ms: () => number;
  /** Receives each change; undefined when the database answers again. */
  readonly report?: (fault: DatabaseFault | undefined) => void;
}

/**
 * Silent connections are replaced within seconds, and a failover takes a minute or two. After this longer
 * time, a restart may help.
 */
export const STUCK_MS = 5 * 60_000;
/** Shortest time between two reported faults, so that many connections do not fill the log. */
const REPORT_EVERY_MS = 10_000;
/**
 * Faults of this process's own connections, which a restart may fix. A database that refuses connections or
 * is unreachable affects every process.
 */
const CONNECTION_FAULTS: ReadonlySet<DatabaseFault> = new Set(['silent', 'pool_exhausted']);

export function createDatabaseHealth({
  monotonic_ms,
  report = () => {},
}: DatabaseHealthOptions): DatabaseHealth {
  let fault: DatabaseFault | undefined;
  let stuckSince: number | undefined;
  let reportedFault: DatabaseFault | undefined;
  let reportedAt = Number.NEGATIVE_INFINITY;
  const setFault = (nextFault: DatabaseFault | undefined): void => {
    fault = nextFault;
    if (nextFault === reportedFault) return;
    if (nextFault && monotonic_ms() - reportedAt < REPORT_EVERY_MS) return;
    if (nextFault) reportedAt = monotonic_ms();
    reportedFault = nextFault;
    report(nextFault);
  };
  return {
    onResponse() {
      stuckSince = undefined;
      setFault(undefined);
    },
    onFailure(error) {
      const errorFault = databaseFaultOf(error);
      stuckSince =
        errorFault && CONNECTION_FAULTS.has(errorFault)
          ? (stuckSince ?? monotonic_ms())
          : undefined;
      setFault(errorFault);
    },
    currentFault: () => fault,
    isStuck: () => stuckSince !== undefined && monotonic_ms() - stuckSince >= STUCK_MS,
  };
}

/** Logs when the database stops answering, with the cause, and when it answers again. */
export const createLoggedDatabaseHealth = (
  logger: Logger,
  monotonic_ms: () => number,
): DatabaseHealth =>
  createDatabaseHealth({
    monotonic_ms,
    report: (fault) =>
      fault
        ? logger.warn({ fault }, 'the database does not answer')
        : logger.info('the database answers again'),
  });
