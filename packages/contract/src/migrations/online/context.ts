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

/** Attempts of a step that may wait long, because it blocks nobody. */
const LONG_ATTEMPTS_MAX = 3;

/** The same run, with the attempts of a step that may wait long. */
export const patient = (to: Migration): Migration => ({
  ...to,
  attempts_max: Math.min(to.attempts_max ?? LONG_ATTEMPTS_MAX, LONG_ATTEMPTS_MAX),
});
