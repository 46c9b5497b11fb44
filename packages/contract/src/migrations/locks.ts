import type { Session } from './session.ts';

const NAMED =
  /\b(?:table|index|trigger|on|references|view|into)\s+(?:only\s+|concurrently\s+|if\s+(?:not\s+)?exists\s+)*(?:\w+\.)?"?(\w+)"?/gi;

/**
 * Names in the definition statements of a migration. Not all are relations; the database finds
 * those that are.
 */
export function namesIn(sql: string): string[] {
  const bare = sql.replace(/--.*$/gm, '');
  return [...new Set([...bare.matchAll(NAMED)].map(([, name = '']) => name.toLowerCase()))].sort();
}

/** SQL: tables with one of the names, or with an index of this name, in alphabetical order. */
const tablesNamed = (schema: string): string => `
  select distinct format('%I.%I', n.nspname, t.relname) as name
  from pg_class t join pg_namespace n on n.oid = t.relnamespace
    left join pg_index x on x.indrelid = t.oid left join pg_class i on i.oid = x.indexrelid
  where n.nspname = ${schema} and t.relkind in ('r', 'p') and (t.relname = any($1) or i.relname = any($1))
  order by 1`;

/** Existing tables whose definition a migration may change. `schema` is an SQL expression. */
export async function tablesOf(tx: Session, schema: string, sql: string): Promise<string[]> {
  const rows = await tx.query(tablesNamed(schema), [namesIn(sql)]);
  return rows.map(({ name }) => String(name));
}

/** Thrown if the locks were not available in time. */
export class LockWait extends Error {
  override name = 'LockWait';
}

const QUERY_CANCELED = '57014';
/** SQLSTATEs of "lock not available" and "deadlock detected". */
const CONTENTION = new Set(['55P03', '40P01']);

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? '';

/** Whether a retry may succeed after other transactions have ended. */
export const isContention = (error: unknown): boolean =>
  error instanceof LockWait || CONTENTION.has(codeOf(error));

/**
 * Takes all table locks of a migration before its first statement, within one time limit. Other
 * transactions wait no longer than the limit. PostgreSQL ends none of them because of a deadlock.
 */
export async function lockAll(tx: Session, tables: readonly string[], limit_ms: number) {
  await tx.query(`set local lock_timeout = ${limit_ms}`);
  if (tables.length > 0) {
    await tx.query(`set local statement_timeout = ${limit_ms}`);
    await tx
      .query(`lock table ${tables.join(', ')} in access exclusive mode`)
      .catch((error: unknown) => {
        throw codeOf(error) === QUERY_CANCELED ? new LockWait() : error;
      });
  }
  await tx.query('set local statement_timeout = 0');
}

const HOLDERS = `
  select a.pid::text as pid, coalesce(a.state, 'of another user') as state,
    coalesce(extract(epoch from clock_timestamp() - a.xact_start)::int, 0)::text as seconds
  from pg_stat_activity a
  where a.pid <> pg_backend_pid() and a.pid in
    (select l.pid from pg_locks l where l.granted and l.relation = any($1::regclass[]))
  order by a.xact_start limit 3`;

/** Describes for people the longest transactions that hold locks on the tables. */
export async function holdersOf(tx: Session, tables: readonly string[]): Promise<string[]> {
  const rows = await tx.query(HOLDERS, [tables]);
  return rows.map(({ pid, state, seconds }) => `process ${pid} (${state}, for ${seconds} s)`);
}
