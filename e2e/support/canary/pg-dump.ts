import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startPostgres } from '@florin/cli/postgres/start-postgres.ts';
import pg from 'pg';
import { dumpTables } from './places.ts';

const DUMP_BYTES_MAX = 256 * 1024 ** 2;

/** Content of a backup by `pg_dump --no-unlogged-table-data`. */
export interface Dump {
  readonly source: string;
  readonly tables: ReadonlyMap<string, string>;
}

/**
 * Returns a dump of the database. Uses the machine's `pg_dump` if it supports the server's version, otherwise reads
 * the same content.
 */
export async function pgDump(dataDir: string): Promise<Dump> {
  const { url } = await startPostgres({ dataDir });
  const databaseUrl = url('florin');
  try {
    const args = ['--no-unlogged-table-data', `--dbname=${databaseUrl}`];
    const { stdout } = await promisify(execFile)('pg_dump', args, { maxBuffer: DUMP_BYTES_MAX });
    return { source: 'pg_dump', tables: new Map([['pg_dump', stdout]]) };
  } catch {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
    const tables = await dumpTables(pool, { logged: true });
    await pool.end();
    return { source: 'reading every logged table', tables };
  }
}
