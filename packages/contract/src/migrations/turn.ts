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

const HOLDER = (lock: string): string => `
  select a.pid::text as pid, coalesce(nullif(a.application_name, ''), '-') as application,
    coalesce(a.usename, '-') as login, coalesce(host(a.client_addr), 'a local socket') as address,
    coalesce(to_char(a.backend_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"'), 'a time of another user') as since
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.granted and l.objsubid = 1
    and l.database = (select oid from pg_database where datname = current_database())
    and l.classid::bigint = ${lock}::bigint >> 32 and l.objid::bigint = ${lock}::bigint & 4294967295`;

/** Describes for people the process that migrates; undefined if none does any more. */
export async function describeMigrator(
  tx: Session,
  { lock }: MigrationTable,
): Promise<{ readonly pid: string; readonly holder: string } | undefined> {
  const [row] = await tx.query(HOLDER(lock));
  if (!row) return undefined;
  const { pid, application, login, address, since } = row;
  return {
    pid: String(pid),
    holder: `process ${pid} (application ${application}, login ${login}, from ${address}, since ${since})`,
  };
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
