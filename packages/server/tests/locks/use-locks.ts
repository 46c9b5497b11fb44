import { type ClonedDatabase, cloneDatabase } from '@florin/dev-env/databases.ts';
import { insertUnchecked, type Values } from '@florin/dev-env/insert-unchecked.ts';
import { type Transactions, withoutLocks } from '@florin/dev-env/two-actors.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Catalog, loadCatalog } from '../../src/platform/database/catalog.ts';
import { type Database, type Db, openDatabase } from '../../src/platform/database/db.ts';

export interface LockTestDatabase {
  readonly db: Database;
  readonly catalog: Catalog;
  readonly clone: ClonedDatabase;
  /** Deletes all rows of these tables. References to them remain. */
  empty(tables: readonly string[]): Promise<void>;
  /** Inserts rows and fills in the missing columns. */
  insertUnchecked(table: string, ...rows: readonly Values[]): Promise<void>;
}

/** A separate database for the lock tests of a file, open from the first test on. */
export function useLockTestDatabase(): LockTestDatabase {
  const cleanup = new AsyncDisposableStack();
  const database = {} as { -readonly [Key in keyof LockTestDatabase]: LockTestDatabase[Key] };
  beforeAll(async () => {
    database.clone = cleanup.use(await cloneDatabase());
    database.db = cleanup.use(openDatabase({ url: database.clone.url, connections_max: 4 }));
    const admin = new pg.Client({ connectionString: database.clone.adminUrl });
    await admin.connect();
    cleanup.defer(() => admin.end());
    await dropChecks(admin);
    await admin.query('set session_replication_role = replica');
    database.catalog = await loadCatalog(database.db);
    database.empty = async (tables) => {
      // TRUNCATE would also empty every table that references these.
      await admin.query(tables.map((table) => `delete from ${table}`).join('; '));
    };
    database.insertUnchecked = (table, ...rows) =>
      insertUnchecked(database.clone.adminUrl, table, ...rows);
  });
  afterAll(() => cleanup.disposeAsync());
  return database;
}

/** Locks do not depend on CHECK constraints. Without them, test rows need no sensible values. */
const dropChecks = (client: pg.Client): Promise<unknown> =>
  client.query(`do $$ declare c record; begin
    for c in select conrelid::regclass as owner, conname from pg_constraint
      where contype = 'c' and connamespace = current_schema()::regnamespace and conislocal
    loop execute format('alter table %s drop constraint %I', c.owner, c.conname); end loop;
  end $$`);

/** Runs two actors and returns their result. */
export type RunActors = (db: Transactions<Db>) => Promise<unknown>;

/** Returns a function that tests the result of two actors, and that it differs without the locks. */
export const useDescribeLock =
  (database: LockTestDatabase) =>
  (name: string, prepare: () => Promise<RunActors>, expected: unknown): void => {
    describe(name, () => {
      it('holds', async () => {
        const runActors = await prepare();
        expect(await runActors(database.db)).toEqual(expected);
      });

      it('would not hold without the lock', async () => {
        const runActors = await prepare();
        expect(await runActors(withoutLocks(database.db)).catch(() => 'failed')).not.toEqual(
          expected,
        );
      });
    });
  };
