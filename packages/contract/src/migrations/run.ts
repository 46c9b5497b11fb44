import { type DatabaseFault, databaseFaultOf } from '../database/fault.ts';
import { refuseCoordinator } from './coordinator.ts';
import { factsOf } from './facts.ts';
import { type Grants, grantsSql } from './grants.ts';
import { lockAll, locksOf } from './locks.ts';
import type { Migration, MigrationTable } from './migration.ts';
import { applyOnline, isOnline } from './online/apply.ts';
import {
  type AppliedMigration,
  type History,
  type MigrationFile,
  MigrationRefusal,
  type Plan,
  planOf,
} from './plan.ts';
import { inTurn, pauseAfter, withLockRetries } from './retries.ts';
import type { Session } from './session.ts';
import { readApplied, takeTurn } from './turn.ts';

/** Number of reads while the database does not respond; about 20 s in total. */
const READS_MAX = 4;

/**
 * Migrates a database to a program's schema, with one transaction per migration, or in steps where a migration is
 * online. Concurrent processes wait for each other. Throws `MigrationRefusal` if the program must not change the database.
 */
export async function runMigrations(to: Migration): Promise<void> {
  const { adoption } = to.history;
  const first = planOf(await readFirst(to), to.history, to);
  const old = first.unproven.length > 0 || first.removed.length > 0;
  if (old || first.pending.length > 0) await to.transaction((tx) => requireOwner(tx, to, first));
  const apply = async (wanted: (file: MigrationFile) => boolean) => {
    for (const file of first.pending.filter(wanted)) await applyOne(to, file);
  };
  await apply(({ name }) => name <= adoption.through);
  if (old) await inTurn(to, adoption.through, () => to.transaction((tx) => adopt(tx, to)));
  await apply(({ name }) => name > adoption.through);
  if (to.grants && first.newer.length === 0) await give(to, to.grants);
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

/**
 * Gives the rights, one process at a time: PostgreSQL fails concurrent changes of an object's rights. A newer release
 * knows tables that this one must not give away.
 */
const give = (to: Migration, grants: Grants): Promise<void> =>
  inTurn(to, 'of rights', () =>
    to.transaction(async (tx) => {
      await takeTurn(tx, to.table);
      // A newer release may have migrated since the first read.
      const { newer } = planOf(await readApplied(tx, to.table), to.history, to);
      if (newer.length === 0) await tx.query(grantsSql(grants));
    }),
  );

/**
 * Reads the list of applied migrations, with retries: while a host starts, the database responds
 * slowly.
 */
async function readFirst(to: Migration): Promise<AppliedMigration[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await to.transaction(async (tx) => {
        await refuseCoordinator(tx);
        return readApplied(tx, to.table);
      });
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
  const isApplied = isOnline(file)
    ? await applyOnline(to, file)
    : await withLockRetries(to, lockingOf(to, file), (limit_ms) =>
        to.transaction((tx) => apply(tx, to, file, limit_ms)),
      );
  if (isApplied) to.report({ event: 'migration_applied', migration: file.name });
}

const lockingOf = ({ table }: Migration, { name, sql }: MigrationFile) => ({
  migration: name,
  tablesOf: async (tx: Session) =>
    (await locksOf(tx, table.schema, sql)).map(({ table: locked }) => locked),
  left: 'Nothing of it was applied.',
});

/** Applies a migration. Returns false if another process has applied it. */
async function apply(
  tx: Session,
  { table, history }: Migration,
  file: MigrationFile,
  limit_ms: number,
): Promise<boolean> {
  await takeTurn(tx, table);
  const { pending } = planOf(await readApplied(tx, table), history);
  if (!pending.some(({ name }) => name === file.name)) return false;
  await lockAll(tx, await locksOf(tx, table.schema, file.sql), limit_ms);
  await tx.query(file.sql);
  await tx.query(table.add, [file.name, file.checksum, file.phase ?? null]);
  return true;
}

/** Stores checksums in a database that has none, if its schema matches the migrations. */
async function adopt(tx: Session, { table, history }: Migration): Promise<void> {
  await takeTurn(tx, table);
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
