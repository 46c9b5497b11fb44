import { LOCK_MODES, type LockMode, locksIn } from './lock-modes.ts';
import type { Session } from './session.ts';

/** An existing table that a migration locks. */
export interface TableLock {
  /** Name with its schema, quoted where needed. */
  readonly table: string;
  readonly mode: LockMode;
}

/** SQL: tables with one of the names, or with an index of this name, in alphabetical order. */
const tablesNamed = (schema: string): string => `
  select format('%I.%I', n.nspname, t.relname) as name, string_agg(distinct c.relname, ',') as named
  from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = ${schema}
    left join pg_index x on x.indexrelid = c.oid
    join pg_class t on t.oid = coalesce(x.indrelid, c.oid) and t.relkind in ('r', 'p')
  where c.relname = any($1)
  group by 1 order by 1`;

/** Locks that a migration takes on tables that exist. `schema` is an SQL expression. */
export async function locksOf(tx: Session, schema: string, sql: string): Promise<TableLock[]> {
  const modes = locksIn(sql);
  const rows = await tx.query(tablesNamed(schema), [[...modes.keys()]]);
  return rows.map(({ name, named }) => {
    const wanted = new Set(
      String(named)
        .split(',')
        .map((it) => modes.get(it)),
    );
    const mode = LOCK_MODES.find((it) => wanted.has(it)) ?? 'access exclusive';
    return { table: String(name), mode };
  });
}

/** Thrown if the locks were not available in time. */
export class LockWait extends Error {
  override name = 'LockWait';
}

const QUERY_CANCELED = '57014';
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? '';

export const isLockTimeout = (error: unknown): boolean => codeOf(error) === LOCK_NOT_AVAILABLE;

/** Whether a retry may succeed after other transactions have ended. */
export const isContention = (error: unknown): boolean =>
  error instanceof LockWait || isLockTimeout(error) || codeOf(error) === DEADLOCK_DETECTED;

/**
 * Takes all table locks of a migration before its first statement, within one time limit. Other
 * transactions wait no longer than the limit. PostgreSQL ends none of them because of a deadlock.
 */
export async function lockAll(tx: Session, locks: readonly TableLock[], limit_ms: number) {
  await tx.query(`set local lock_timeout = ${limit_ms}`);
  if (locks.length > 0) {
    await tx.query(`set local statement_timeout = ${limit_ms}`);
    await tx.query(lockingBlock(locks)).catch((error: unknown) => {
      throw codeOf(error) === QUERY_CANCELED ? new LockWait() : error;
    });
  }
  await tx.query('set local statement_timeout = 0');
}

/** One statement, so that its time limit holds for all locks together. */
const lockingBlock = (locks: readonly TableLock[]): string =>
  `do $locks$ begin\n${locks.map(({ table, mode }) => `lock table ${table} in ${mode} mode;\n`).join('')}end $locks$`;

/** Longest transactions to list. */
const HOLDERS_MAX = 3;

/** SQL: columns of a row `a` of `pg_stat_activity`, for `describeHolder`. */
export const HOLDER_COLUMNS = `a.pid::text as pid, coalesce(nullif(a.application_name, ''), '-') as application,
    coalesce(a.usename, '-') as login, coalesce(a.state, 'of another user') as state,
    coalesce(extract(epoch from clock_timestamp() - a.xact_start)::int, 0)::text as seconds,
    to_char(a.query_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"') as query_start`;

const HOLDERS = `
  select ${HOLDER_COLUMNS}
  from pg_stat_activity a
  where a.pid <> pg_backend_pid() and a.datname = current_database() and a.pid in
    (select l.pid from pg_locks l where l.granted and l.relation = any($1::regclass[]))
  order by a.xact_start limit ${HOLDERS_MAX}`;

/** Describes for people the longest transactions that hold locks on the tables. */
export async function holdersOf(tx: Session, tables: readonly string[]): Promise<string[]> {
  return (await tx.query(HOLDERS, [tables])).map(describeHolder);
}

/** Describes a transaction for people, without its statement, which may have personal data. */
export function describeHolder(row: Readonly<Record<string, unknown>>): string {
  const { pid, application, login, state, seconds, query_start } = row;
  const since = query_start ? `, last statement began ${query_start}` : '';
  return `process ${pid} (${state}, for ${seconds} s, application ${application}, login ${login}${since})`;
}
