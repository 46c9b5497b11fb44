import type { Migration } from '../migration.ts';
import type { MigrationFile } from '../plan.ts';
import type { Session } from '../session.ts';

/** Everything that a step of an online migration needs. */
export interface OnlineContext {
  readonly to: Migration;
  readonly file: MigrationFile;
  /** Has the lock of migrations, and no transaction. */
  readonly session: Session;
}

/**
 * Runs `work` in a transaction of the session that has the lock of migrations. A lost session rolls back the transaction
 * and gives up the lock together, so no other process can repeat unfinished work.
 */
export async function inSession<T>(
  session: Session,
  work: (tx: Session) => Promise<T>,
): Promise<T> {
  await session.query('begin');
  try {
    const result = await work(session);
    await session.query('commit');
    return result;
  } catch (error) {
    // A session that is lost cannot roll back, and PostgreSQL did.
    await session.query('rollback').catch(() => {});
    throw error;
  }
}

/** Attempts of a step that may wait long, because it blocks nobody. */
const LONG_ATTEMPTS_MAX = 3;

/** The same run, with the attempts of a step that may wait long. */
export const patient = (to: Migration): Migration => ({
  ...to,
  attempts_max: Math.min(to.attempts_max ?? LONG_ATTEMPTS_MAX, LONG_ATTEMPTS_MAX),
});
