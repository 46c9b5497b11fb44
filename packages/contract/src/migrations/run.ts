import { type DatabaseFault, databaseFaultOf } from '../database/fault.ts';
import { factsOf } from './facts.ts';
import { type Grants, grantsSql } from './grants.ts';
import { holdersOf, isContention, lockAll, tablesOf } from './locks.ts';
import {
  type AppliedMigration,
  type History,
  type MigrationFile,
  MigrationRefusal,
  type Plan,
  planOf,
} from './plan.ts';
import type { Session, Transactions } from './session.ts';

/** SQL for the table of applied migrations. */
export interface MigrationTable {
  /** The schema, as an SQL expression. */
  readonly schema: string;
  /** Tables of the migration runner, which are no part of the schema. */
  readonly tables: readonly string[];
  /** Key of the advisory lock. No other program may use this key in the database. */
  readonly lock: string;
  /** Query of `state`: `absent`, `old` (no checksums yet) or `present`. */
  readonly state_query: string;
  /** Creates the table or adds the checksum column. */
  readonly prepare: string;
  /** Query of `name` and `checksum`. Works with an old table too. */
  readonly read: string;
  /** Inserts a migration: name $1, checksum $2. */
  readonly add: string;
  /** Sets the checksum of migration $1 to $2. */
  readonly prove: string;
  /** Deletes migration $1 from the table. */
  readonly remove: string;
}

export type MigrationEvent =
  | {
      readonly event: 'start_waits_for_database';
      readonly fault: DatabaseFault;
      readonly attempt: number;
    }
  | { readonly event: 'migration_applied'; readonly migration: string }
  | { readonly event: 'migration_queued'; readonly migration: string }
  | {
      readonly event: 'migration_waits';
      readonly migration: string;
      readonly attempt: number;
      readonly tables: readonly string[];
      readonly holders: readonly string[];
    };

export interface Migration {
  readonly transaction: Transactions;
  readonly wait: (ms: number) => Promise<unknown>;
  readonly report: (event: MigrationEvent) => void;
  readonly table: MigrationTable;
  readonly history: History;
  /** Number of attempts to lock the tables of one migration. */
  readonly attempts_max?: number | undefined;
  /** Rights to give after the migrations. Only the owner of the schema can give them. */
  readonly grants?: Grants | undefined;
}

/** Number of reads while the database does not respond; about 20 s in total. */
const READS_MAX = 4;
/** Number of attempts to lock; about 45 s in total. Supervisors wait longer for a start. */
const ATTEMPTS_MAX = 14;
/**
 * Lock timeout in milliseconds. Starts below PostgreSQL's `deadlock_timeout` (1 s). Later timeouts
 * exceed it, so that PostgreSQL cancels a blocking autovacuum.
 */
const LOCK_MS = { first: 500, most: 2_000, doubled_every: 2 };
const PAUSE_MS = { first: 100, most: 2_000 };

const lockLimit = (attempt: number): number =>
  Math.min(LOCK_MS.first * 2 ** Math.floor((attempt - 1) / LOCK_MS.doubled_every), LOCK_MS.most);
const pauseAfter = (attempt: number): number =>
  Math.min(PAUSE_MS.first * 2 ** (attempt - 1), PAUSE_MS.most);

/**
 * Migrates a database to a program's schema, with one transaction per migration. Concurrent processes wait for each
 * other. Throws `MigrationRefusal` if the program must not change the database.
 */
export async function runMigrations(to: Migration): Promise<void> {
  const { adoption } = to.history;
  const first = planOf(await readFirst(to), to.history);
  const old = first.unproven.length > 0 || first.removed.length > 0;
  if (old || first.pending.length > 0) await to.transaction((tx) => requireOwner(tx, to, first));
  const apply = async (wanted: (file: MigrationFile) => boolean) => {
    for (const file of first.pending.filter(wanted)) await applyOne(to, file);
  };
  await apply(({ name }) => name <= adoption.through);
  if (old) await to.transaction((tx) => adopt(tx, to));
  await apply(({ name }) => name > adoption.through);
  if (to.grants) await give(to, to.grants);
}

const MAY_CHANGE = (schema: string): string =>
  `select coalesce(has_schema_privilege(to_regnamespace(${schema}::text)::oid, 'create'),
     has_database_privilege(current_database(), 'create'))::text as may`;

/** Throws `MigrationRefusal` for a login that owns nothing, as those of production. */
async function requireOwner(tx: Session, { table }: Migration, { pending }: Plan): Promise<void> {
  const [row] = await tx.query(MAY_CHANGE(table.schema));
  if (row?.may === 'true') return;
  throw new MigrationRefusal(
    `The database lacks migrations up to ${pending.at(-1)?.name}, and this login may not apply them. Run "npm run florin -- migrate" as its owner, then start again.`,
  );
}

/** Gives the rights, one process at a time: PostgreSQL fails concurrent changes of an object's rights. */
const give = (to: Migration, grants: Grants): Promise<void> =>
  to.transaction(async (tx) => {
    await tx.query('set local statement_timeout = 0; set local lock_timeout = 0');
    await tx.query(`select pg_advisory_xact_lock(${to.table.lock})`);
    await tx.query(grantsSql(grants));
  });

/**
 * Reads the list of applied migrations, with retries: while a host starts, the database responds
 * slowly.
 */
async function readFirst(to: Migration): Promise<AppliedMigration[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await to.transaction((tx) => readApplied(tx, to.table));
    } catch (error) {
      const fault = databaseFaultOf(error);
      if (attempt >= READS_MAX || !isPassing(fault)) throw error;
      to.report({ event: 'start_waits_for_database', fault, attempt });
      await to.wait(pauseAfter(attempt));
    }
  }
}

const isPassing = (fault: DatabaseFault | undefined): fault is DatabaseFault =>
  fault === 'silent' || fault === 'starting' || fault === 'read_only';

async function applyOne(to: Migration, file: MigrationFile): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (await to.transaction((tx) => apply(tx, to, file, lockLimit(attempt))))
        to.report({ event: 'migration_applied', migration: file.name });
      return;
    } catch (error) {
      if (!isContention(error)) throw error;
      await reportLockHolders(to, file, attempt);
      await to.wait(pauseAfter(attempt));
    }
  }
}

/** Applies a migration. Returns false if another process has applied it. */
async function apply(
  tx: Session,
  to: Migration,
  file: MigrationFile,
  limit_ms: number,
): Promise<boolean> {
  const { table, history } = to;
  await lockMigrations(tx, to, file.name);
  const { pending } = planOf(await readApplied(tx, table), history);
  if (!pending.some(({ name }) => name === file.name)) return false;
  await lockAll(tx, await tablesOf(tx, table.schema, file.sql), limit_ms);
  await tx.query(file.sql);
  await tx.query(table.add, [file.name, file.checksum]);
  return true;
}

async function reportLockHolders(to: Migration, { name, sql }: MigrationFile, attempt: number) {
  const [tables, holders] = await to.transaction(async (tx) => {
    const tables = await tablesOf(tx, to.table.schema, sql);
    return [tables, await holdersOf(tx, tables)] as const;
  });
  const { attempts_max = ATTEMPTS_MAX } = to;
  if (attempt < attempts_max) {
    return to.report({ event: 'migration_waits', migration: name, attempt, tables, holders });
  }
  throw new MigrationRefusal(
    `Migration ${name} could not lock ${tables.join(', ')} in ${attempts_max} attempts: other transactions hold them, the longest being ${holders.join(', ') || 'over by now'}. Nothing of it was applied. End these transactions with pg_terminate_backend, or start again when less is under way.`,
  );
}

/** Stores checksums in a database that has none, if its schema matches the migrations. */
async function adopt(tx: Session, to: Migration): Promise<void> {
  const { table, history } = to;
  await lockMigrations(tx, to, history.adoption.through);
  const { unproven, removed } = planOf(await readApplied(tx, table), history);
  if (unproven.length > 0) await compare(tx, table, history);
  for (const { name, checksum } of unproven) await tx.query(table.prove, [name, checksum]);
  for (const name of removed) await tx.query(table.remove, [name]);
}

const NAMED_MAX = 5;

/**
 * Compares the schema with the expected facts. Additional objects are ignored: they belong to the
 * operator.
 */
async function compare(tx: Session, table: MigrationTable, { adoption }: History): Promise<void> {
  const actual = new Set(await factsOf(tx, table.schema, table.tables));
  const missing = (await adoption.facts()).filter((fact) => !actual.has(fact));
  if (missing.length === 0) return;
  const moreText = missing.length > NAMED_MAX ? `, and ${missing.length - NAMED_MAX} more` : '';
  const named = missing.slice(0, NAMED_MAX).map((fact) => `"${fact}"`);
  throw new MigrationRefusal(
    `The database is not what migrations up to ${adoption.through} make of any version. It lacks ${named.join(', ')}${moreText}. Change it by hand to what a fresh database has, or restore a backup; then start again.`,
  );
}

/** Locks migrations for this process until its transaction ends. */
async function lockMigrations(tx: Session, { table, report }: Migration, migration: string) {
  await tx.query('set local statement_timeout = 0; set local lock_timeout = 0');
  const [turn] = await tx.query(`select pg_try_advisory_xact_lock(${table.lock})::text as mine`);
  if (turn?.mine !== 'true') {
    report({ event: 'migration_queued', migration });
    await tx.query(`select pg_advisory_xact_lock(${table.lock})`);
  }
  if ((await stateOf(tx, table)) !== 'present') await tx.query(table.prepare);
}

async function stateOf(
  tx: Session,
  { state_query }: MigrationTable,
): Promise<'absent' | 'old' | 'present'> {
  const [state] = await tx.query(state_query);
  return state?.state as 'absent' | 'old' | 'present';
}

async function readApplied(tx: Session, table: MigrationTable): Promise<AppliedMigration[]> {
  if ((await stateOf(tx, table)) === 'absent') return [];
  const rows = await tx.query(table.read);
  return rows.map(({ name, checksum }) => ({
    name: String(name),
    checksum: checksum === null ? null : String(checksum),
  }));
}
