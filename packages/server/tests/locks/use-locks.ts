import { type ClonedDatabase, cloneDatabase } from '@florin/dev-env/databases.ts';
import { insertUnchecked, type Values } from '@florin/dev-env/insert-unchecked.ts';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { type Catalog, loadCatalog } from '../../src/platform/database/catalog.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';

export interface Locks {
  readonly db: Database;
  readonly catalog: Catalog;
  readonly clone: ClonedDatabase;
  /** Deletes all rows of these tables. References to them remain. */
  empty(tables: readonly string[]): Promise<void>;
  /** Inserts rows and fills in the missing columns. */
  insertUnchecked(table: string, ...rows: readonly Values[]): Promise<void>;
}

/** A separate database for the lock tests of a file, open from the first test on. */
export function useLocks(): Locks {
  const cleanup = new AsyncDisposableStack();
  const locks = {} as { -readonly [Key in keyof Locks]: Locks[Key] };
  beforeAll(async () => {
    locks.clone = cleanup.use(await cloneDatabase());
    locks.db = cleanup.use(openDatabase({ url: locks.clone.url, connections_max: 4 }));
    const admin = new pg.Client({ connectionString: locks.clone.adminUrl });
    await admin.connect();
    cleanup.defer(() => admin.end());
    await dropChecks(admin);
    await admin.query('set session_replication_role = replica');
    locks.catalog = await loadCatalog(locks.db);
    locks.empty = async (tables) => {
      // Truncating also empties all tables that reference these, and creates the files of each anew.
      await admin.query(tables.map((table) => `delete from ${table}`).join('; '));
    };
    locks.insertUnchecked = (table, ...rows) =>
      insertUnchecked(locks.clone.adminUrl, table, ...rows);
  });
  afterAll(() => cleanup.disposeAsync());
  return locks;
}

/** Locks do not depend on CHECK constraints. Without them, test rows need no sensible values. */
const dropChecks = (client: pg.Client): Promise<unknown> =>
  client.query(`do $$ declare c record; begin
    for c in select conrelid::regclass as owner, conname from pg_constraint
      where contype = 'c' and connamespace = 'public'::regnamespace and conislocal
    loop execute format('alter table %s drop constraint %I', c.owner, c.conname); end loop;
  end $$`);
