import { isLockTimeout } from './locks.ts';
import type { MigrationTable } from './migration.ts';
import type { AppliedMigration } from './plan.ts';
import type { Session } from './session.ts';

/** Thrown while another process migrates the database. */
export class NotOurTurn extends Error {
  override name = 'NotOurTurn';
}

/**
 * Time limit of one wait for another process, in milliseconds. Shorter than PostgreSQL's `deadlock_timeout`: the other
 * process may build an index, which waits for this transaction.
 */
const TURN_MS = 500;

/**
 * Locks migrations for this transaction, and prepares the table of applied ones. Throws `NotOurTurn` if another process
 * still migrates.
 */
export async function takeTurn(tx: Session, table: MigrationTable): Promise<void> {
  await tx.query(`set local statement_timeout = 0; set local lock_timeout = ${TURN_MS}`);
  await tx.query(`select pg_advisory_xact_lock(${table.lock})`).catch(asTurn);
  await tx.query('set local lock_timeout = 0');
  if ((await stateOf(tx, table)) !== 'present') await tx.query(table.prepare);
}

/** The same for a connection, until it is closed. */
export async function takeTurnOnConnection(
  session: Session,
  { lock }: MigrationTable,
): Promise<void> {
  await session.query(`set statement_timeout = 0; set lock_timeout = ${TURN_MS}`);
  await session.query(`select pg_advisory_lock(${lock})`).catch(asTurn);
  await session.query('set lock_timeout = 0');
}

function asTurn(error: unknown): never {
  throw isLockTimeout(error) ? new NotOurTurn() : error;
}

async function stateOf(
  tx: Session,
  { state_query }: MigrationTable,
): Promise<'absent' | 'old' | 'present'> {
  const [state] = await tx.query(state_query);
  return state?.state as 'absent' | 'old' | 'present';
}

const textOf = (value: unknown): string | null => (value == null ? null : String(value));

/** The database's own list of migrations. */
export async function readApplied(tx: Session, table: MigrationTable): Promise<AppliedMigration[]> {
  if ((await stateOf(tx, table)) === 'absent') return [];
  const rows = await tx.query(table.read);
  return rows.map(({ name, checksum, phase }) => ({
    name: String(name),
    checksum: textOf(checksum),
    phase: textOf(phase),
  }));
}
