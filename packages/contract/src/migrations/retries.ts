import { holdersOf, isContention } from './locks.ts';
import type { Migration } from './migration.ts';
import { MigrationRefusal } from './plan.ts';
import type { Session } from './session.ts';
import { describeMigrator, NotOurTurn } from './turn.ts';

/** Work that needs locks of tables. */
export interface Locking {
  readonly migration: string;
  readonly tablesOf: (tx: Session) => Promise<readonly string[]>;
  /** Sentence about what is left in the database if the locks cannot be had. */
  readonly left: string;
}

/** Number of attempts to lock; about 45 s in total. Supervisors wait longer for a start. */
export const ATTEMPTS_MAX = 14;
/**
 * Lock timeout in milliseconds. Starts below PostgreSQL's `deadlock_timeout` (1 s). Later timeouts
 * exceed it, so that PostgreSQL cancels a blocking autovacuum.
 */
const LOCK_MS = { first: 500, most: 2_000, doubled_every: 2 };
const PAUSE_MS = { first: 100, most: 2_000 };

const lockLimit = (attempt: number): number =>
  Math.min(LOCK_MS.first * 2 ** Math.floor((attempt - 1) / LOCK_MS.doubled_every), LOCK_MS.most);

/** Milliseconds to wait after a failed attempt, counted from 1. */
export const pauseAfter = (attempt: number): number =>
  Math.min(PAUSE_MS.first * 2 ** (attempt - 1), PAUSE_MS.most);

/**
 * Repeats work of a migration while other transactions hold its tables. `work` gets a lock timeout in milliseconds.
 * Throws `MigrationRefusal` after the last attempt.
 */
export async function withLockRetries<T>(
  to: Migration,
  locking: Locking,
  work: (limit_ms: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTurn(to, locking.migration, () => work(lockLimit(attempt)));
    } catch (error) {
      if (!isContention(error)) throw error;
      await reportLockHolders(to, locking, attempt);
      await to.wait(pauseAfter(attempt));
    }
  }
}

/**
 * Attempts to get the lock of migrations; 0.6 s each, half an hour in total. An index of a large table takes as long.
 */
export const TURNS_MAX = 3_000;
/** Attempts between two reports: a minute. */
const TURNS_PER_REPORT = 100;

/** Repeats work while another process migrates, and reports it. Throws `MigrationRefusal` after the last attempt. */
export async function inTurn<T>(
  to: Migration,
  migration: string,
  work: () => Promise<T>,
): Promise<T> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NotOurTurn)) throw error;
      await reportMigrator(to, migration, turn);
      await to.wait(PAUSE_MS.first);
    }
  }
}

async function reportMigrator(to: Migration, migration: string, turn: number): Promise<void> {
  const { turns_max = TURNS_MAX } = to;
  const isOver = turn >= turns_max;
  if (!isOver && turn % TURNS_PER_REPORT !== 1) return;
  const migrator = await to.transaction((tx) => describeMigrator(tx, to.table));
  if (!isOver) return to.report({ event: 'migration_queued', migration, holder: migrator?.holder });
  throw new MigrationRefusal(
    `Migration ${migration} waited ${turns_max} times for another process that migrates${migrator ? `: ${migrator.holder}.` : '. It has ended since.'} Nothing of it was applied here. If that process still works, wait for its end and start again. If it hangs, end it with "select pg_terminate_backend(${migrator?.pid ?? 'PID'})" and start again: no finished step is repeated.`,
  );
}

async function reportLockHolders(
  to: Migration,
  { migration, tablesOf, left }: Locking,
  attempt: number,
): Promise<void> {
  const [tables, holders] = await to.transaction(async (tx) => {
    const tables = await tablesOf(tx);
    return [tables, await holdersOf(tx, tables)] as const;
  });
  const { attempts_max = ATTEMPTS_MAX } = to;
  if (attempt < attempts_max)
    return to.report({ event: 'migration_waits', migration, attempt, tables, holders });
  throw new MigrationRefusal(
    `Migration ${migration} could not lock ${tables.join(', ')} in ${attempts_max} attempts: other transactions hold them, the longest being ${holders.join('; ') || 'over by now'}. ${left} End these transactions with pg_terminate_backend, or start again when less is under way.`,
  );
}
