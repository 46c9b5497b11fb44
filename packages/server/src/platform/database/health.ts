import type { Listener } from '@florin/contract/database/connections.ts';
import { codeOf, type DatabaseFault, databaseFaultOf } from '@florin/contract/database/fault.ts';
import type { Logger } from '../logger.ts';
import type { Database } from './db.ts';

export interface DatabaseHealth extends Listener {
  /** Cause of the last statement's failure, or of a refused write on a full disk; undefined when the database works. */
  currentFault(): DatabaseFault | undefined;
  /** Whether the database has been silent for so long that only a restart may help. */
  isStuck(): boolean;
  onDiskFull(): void;
  /**
   * Whether the disk is full: a statement was refused for lack of space, and `hasSpace` has not succeeded since. Asks
   * it only after such a refusal.
   */
  isDiskFull(hasSpace: () => Promise<boolean>): Promise<boolean>;
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
  /** Statements that were refused for lack of space, and how many of them a check of the disk has answered. */
  let refused = 0;
  let answered = 0;
  let stuckSince: number | undefined;
  let reportedFault: DatabaseFault | undefined;
  let reportedAt = Number.NEGATIVE_INFINITY;
  const setFault = (statementFault: DatabaseFault | undefined): void => {
    const nextFault = statementFault ?? (answered < refused ? 'disk_full' : undefined);
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
    // On a full disk, reads succeed, and so do writes into pages with space: neither ends the fault.
    onDiskFull() {
      refused += 1;
      setFault('disk_full');
    },
    async isDiskFull(hasSpace) {
      const before = refused;
      if (answered < before && (await hasSpace())) {
        answered = Math.max(answered, before);
        setFault(undefined);
      }
      return answered < refused;
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

/** Rows that do not fit into the memory of the statement: PostgreSQL puts 1 MB of them into a temporary file. */
const FILE = 'select count(*) from generate_series(1, 75000)';
const BY_DISK = "set local work_mem = '64kB'; set local temp_tablespaces = ''";

/** Whether an error leaves space. PostgreSQL has no code of its own for a file that it cannot create. */
const spaceByCode: ReadonlyMap<string, boolean> = new Map([
  ['53100', false],
  ['XX000', false],
  // `temp_file_limit` forbids such a file, so that the disk cannot be asked.
  ['53400', true],
]);

/**
 * Whether the disk of the database takes a file. Writes neither tables nor the write-ahead log: on a full disk, a log
 * that cannot grow ends PostgreSQL.
 */
export async function hasSpace(db: Database): Promise<boolean> {
  try {
    await db.transaction(async (tx) => {
      await tx.query(BY_DISK, []);
      await tx.query(FILE, []);
    });
    return true;
  } catch (error) {
    const space = spaceByCode.get(codeOf(error));
    if (space === undefined) throw error;
    return space;
  }
}
