import type { DatabaseFault } from '../database/fault.ts';
import type { Grants } from './grants.ts';
import type { History } from './plan.ts';
import type { Connected, Transactions } from './session.ts';

/** SQL for the table of applied migrations. */
export interface MigrationTable {
  /** The schema, as an SQL expression. */
  readonly schema: string;
  /** Tables of the migration runner, which are no part of the schema. */
  readonly tables: readonly string[];
  /** Table of unfinished online migrations, with its schema. Exists while one runs. */
  readonly progress: string;
  /** Key of the advisory lock. No other program may use this key in the database. */
  readonly lock: string;
  /** Query of `state`: `absent`, `old` (a column is missing) or `present`. */
  readonly state_query: string;
  /** Creates the table, or adds the columns for checksum and phase. */
  readonly prepare: string;
  /** Query of `name`, `checksum` and `phase`. Works with an old table too. */
  readonly read: string;
  /** Inserts a migration: name $1, checksum $2, phase $3. */
  readonly add: string;
  /** Sets the checksum of migration $1 to $2. */
  readonly prove: string;
  /** Deletes migration $1 from the table. */
  readonly remove: string;
}

/** How far a step of an online migration is. */
export interface Progress {
  readonly migration: string;
  readonly step: string;
  readonly done: number;
  /** An estimate; null if the database has none yet. */
  readonly total: number | null;
  readonly unit: 'rows' | 'blocks';
  /** The transaction whose end the step waits for, if any. */
  readonly waits_for?: string;
}

export type MigrationEvent =
  | {
      readonly event: 'start_waits_for_database';
      readonly fault: DatabaseFault;
      readonly attempt: number;
    }
  | { readonly event: 'migration_applied'; readonly migration: string }
  | {
      readonly event: 'migration_queued';
      readonly migration: string;
      /** Describes the process that migrates; absent if none does any more. */
      readonly holder?: string | undefined;
    }
  | ({ readonly event: 'migration_progress' } & Progress)
  | {
      readonly event: 'migration_waits';
      readonly migration: string;
      readonly attempt: number;
      readonly tables: readonly string[];
      readonly holders: readonly string[];
    };

export interface Migration {
  readonly transaction: Transactions;
  /** A connection for online migrations; absent behind a pooler, which shares sessions. */
  readonly connected?: Connected | undefined;
  readonly wait: (ms: number) => Promise<unknown>;
  readonly report: (event: MigrationEvent) => void;
  readonly table: MigrationTable;
  readonly history: History;
  /** Number of attempts to lock the tables of one migration. */
  readonly attempts_max?: number | undefined;
  /** Number of attempts to get the lock of migrations that another process has. */
  readonly turns_max?: number | undefined;
  /** Rows of one batch of a backfill. */
  readonly batch_rows?: number | undefined;
  /** Rights to give after the migrations. Only the owner of the schema can give them. */
  readonly grants?: Grants | undefined;
  /** Whether to run on the schema of a newer release whose migrations only expand. */
  readonly runs_on_newer?: boolean | undefined;
}
