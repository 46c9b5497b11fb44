import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startPostgres } from '@florin/cli/postgres/start-postgres.ts';
import pg from 'pg';
import { dumpTables } from './places.ts';

const DUMP_BYTES_MAX = 256 * 1024 ** 2;

/** What a backup by `pg_dump --no-unlogged-table-data` holds, and which program said so. */
export interface Dump {
  readonly by: string;
  readonly tables: ReadonlyMap<string, string>;
}

/** By the machine's `pg_dump` where it is new enough for the server, and otherwise by reading what it would. */
export async function pgDump(dataDir: string): Promise<Dump> {
  const { url } = await startPostgres({ dataDir });
  const address = url('florin');
  try {
    const args = ['--no-unlogged-table-data', `--dbname=${address}`];
    const { stdout } = await promisify(execFile)('pg_dump', args, { maxBuffer: DUMP_BYTES_MAX });
    return { by: 'pg_dump', tables: new Map([['pg_dump', stdout]]) };
  } catch {
    const pool = new pg.Pool({ connectionString: address, max: 1 });
    const tables = await dumpTables(pool, { logged: true });
    await pool.end();
    return { by: 'reading every logged table', tables };
  }
}
