import { startPostgres } from '@florin/cli/postgres/start-postgres.ts';
import pg from 'pg';
import { renderTable } from '../table.ts';
import type { Testbed } from '../testbed.ts';

const EXTENSION = 'pg_stat_statements';
/** Why there are no statements, and the setting that is missing. */
export const NO_STATEMENTS = `This PostgreSQL has no extension ${EXTENSION}, which shared_preload_libraries would load.`;

/** A statement as pg_stat_statements counts it, since the last reset. */
export interface StatementCost {
  /** Role that sent it, without `florin_`. */
  readonly role: string;
  readonly calls: number;
  readonly rows: number;
  readonly total_ms: number;
  readonly mean_ms: number;
  /** Time to plan it, in all. */
  readonly plan_ms: number;
  /** Pages found in PostgreSQL's memory. */
  readonly hits: number;
  readonly wal_bytes: number;
  readonly query: string;
}

/** Creates the cluster and loads the extension at its next start. Returns whether the extension is installed. */
export async function enableStatements(dataDir: string): Promise<boolean> {
  await using postgres = await startPostgres({ dataDir });
  const client = new pg.Client({ connectionString: postgres.url('postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_available_extensions where name = $1', [
      EXTENSION,
    ]);
    if (rowCount === 0) return false;
    await client.query(`alter system set shared_preload_libraries = '${EXTENSION}'`);
    await client.query(`alter system set track_io_timing = on`);
    await client.query(`alter system set ${EXTENSION}.track_planning = on`);
    return true;
  } finally {
    await client.end();
  }
}

/** Sets all counts to zero. */
export async function resetStatements(testbed: Testbed): Promise<void> {
  await testbed.query(`create extension if not exists ${EXTENSION}`);
  await testbed.query(`select ${EXTENSION}_reset()`);
}

/** Statements of server and vault since the reset, longest in all first. */
export const readStatements = (testbed: Testbed): Promise<StatementCost[]> =>
  testbed.query<StatementCost & pg.QueryResultRow>(
    `select replace(rolname, 'florin_', '') as role, calls::float8, rows::float8, total_exec_time as total_ms,
       mean_exec_time as mean_ms, total_plan_time as plan_ms, shared_blks_hit::float8 as hits,
       wal_bytes::float8, query
     from ${EXTENSION} join pg_roles on pg_roles.oid = userid
     where rolname in ('florin_server', 'florin_vault')
     order by total_exec_time + total_plan_time desc`,
  );

const QUERY_CHARACTERS = 100;
const BYTES_PER_KB = 1_000;

/** Table of the longest statements. Their share is of the time of all of them. */
export function renderStatements(statements: readonly StatementCost[], count_max: number): string {
  const timeOf = ({ total_ms, plan_ms }: StatementCost) => total_ms + plan_ms;
  const all_ms = statements.reduce((sum, statement) => sum + timeOf(statement), 0);
  const lines = statements
    .slice(0, count_max)
    .map((statement, at) => [
      String(at + 1),
      ((100 * timeOf(statement)) / all_ms).toFixed(1),
      statement.role,
      String(statement.calls),
      String(statement.rows),
      statement.total_ms.toFixed(0),
      statement.mean_ms.toFixed(2),
      statement.plan_ms.toFixed(0),
      String(statement.hits),
      (statement.wal_bytes / BYTES_PER_KB).toFixed(0),
      lineOf(statement.query).slice(0, QUERY_CHARACTERS),
    ]);
  const headers = ['', '%', 'role', 'calls', 'rows', 'total ms', 'mean ms', 'plan ms'];
  return renderTable([...headers, 'buffer hits', 'WAL kB', 'statement'], lines);
}

const lineOf = (query: string): string => query.replace(/\s+/g, ' ').trim();

/** Whole texts of the statements, with their numbers in the table. */
export const renderQueries = (statements: readonly StatementCost[]): string =>
  statements.map(({ query }, at) => `-- ${at + 1}\n${query.trim()};\n`).join('\n');
