import type { MigrationEvent } from '@florin/contract/migrations/migration.ts';
import type { MigrationFile } from '@florin/contract/migrations/plan.ts';
import { emptyDatabase } from '@florin/dev-env/databases.ts';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type MigrateOptions,
  migrate,
  readServerHistory,
} from '../../src/platform/database/migrate.ts';
import { eventually } from '../support/make.ts';

const migrationFile = (name: string, sql: string): MigrationFile => ({ name, sql, checksum: name });
const TABLES = migrationFile(
  '0001-tables',
  'create table a (n integer); create table b (n integer)',
);
const CHANGE = migrationFile(
  '0002-change',
  'alter table a add column m text; alter table b add column m text',
);
const COLUMNS_SQL = `select table_name as name from information_schema.columns where column_name = 'm' order by 1`;

let stack: AsyncDisposableStack;
let otherClient: pg.Client;
let events: MigrationEvent[];
let runMigrations: (files: readonly MigrationFile[], options?: MigrateOptions) => Promise<void>;
let listChangedTables: () => Promise<string[]>;

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  const { url } = stack.use(await emptyDatabase());
  otherClient = new pg.Client({ connectionString: url, application_name: 'a shop' });
  await otherClient.connect();
  stack.defer(() => otherClient.end());
  events = [];
  const { adoption } = await readServerHistory();
  runMigrations = (files, options = {}) =>
    migrate(url, {
      history: { files, removed: {}, adoption },
      report: (event) => events.push(event),
      ...options,
    });
  await runMigrations([TABLES]);
  events = [];
  listChangedTables = async () =>
    (await otherClient.query(COLUMNS_SQL)).rows.map(({ name }) => name);
});
afterEach(() => stack.disposeAsync());

/** Waiting locks on this database's tables; other databases use the same relation numbers. */
const WAITING_LOCKS_SQL = `select 1 from pg_locks where not granted and relation is not null
  and database = (select oid from pg_database where datname = current_database())`;

/** Waits until the other transaction blocks the migration. */
const waitUntilBlocked = () =>
  eventually(
    async () => (await otherClient.query(WAITING_LOCKS_SQL)).rowCount,
    (count) => count === 1,
  );

describe('a migration of tables in use', () => {
  it('lets a transaction with another lock order end, and is applied then', async () => {
    await otherClient.query('begin; insert into b values (1)');
    const pendingRun = runMigrations([TABLES, CHANGE]);
    await waitUntilBlocked();
    await otherClient.query('insert into a values (1)');
    await eventually(
      async () => events,
      ([first]) => first !== undefined,
    );
    await otherClient.query('commit');
    await pendingRun;
    expect(await listChangedTables()).toEqual(['a', 'b']);
    const { rows } = await otherClient.query('select pg_backend_pid() as pid');
    expect(events[0]).toEqual({
      event: 'migration_waits',
      migration: '0002-change',
      attempt: 1,
      tables: ['public.a', 'public.b'],
      holders: [
        expect.stringMatching(
          `^process ${rows[0].pid} \\((idle in transaction|active), for \\d+ s, application a shop, login postgres, last statement began [-0-9: ]+Z\\)$`,
        ),
      ],
    });
    expect(events.at(-1)).toEqual({ event: 'migration_applied', migration: '0002-change' });
  });

  it('gives up after its attempts, applies nothing and names the lock holder', async () => {
    await otherClient.query('begin; insert into b values (1)');
    await expect(runMigrations([TABLES, CHANGE], { attempts_max: 2 })).rejects.toThrow(
      /^Migration 0002-change could not lock public\.a, public\.b in 2 attempts: .* process \d+ \(idle in transaction, for \d+ s, application a shop, .*\)\. Nothing of it was applied\. .* pg_terminate_backend/,
    );
    await otherClient.query('commit');
    expect(await listChangedTables()).toEqual([]);
    await runMigrations([TABLES, CHANGE]);
    expect(await listChangedTables()).toEqual(['a', 'b']);
  });

  it('names no statement of the lock holder, which may have personal data', async () => {
    await otherClient.query(`begin; insert into b values (1); select 'ada@example.com'`);
    const failure = runMigrations([TABLES, CHANGE], { attempts_max: 1 });
    await expect(failure).rejects.toThrow(/^(?!.*ada@example\.com)/s);
    await otherClient.query('rollback');
  });

  it('lets others read a table while it builds an index, if it has a header', async () => {
    const header = '-- florin: expand\n';
    const index = migrationFile('0002-index', `${header}create index a_n on a (n)`);
    await otherClient.query('begin; lock table a in access share mode; lock table b');
    await runMigrations([TABLES, index], { attempts_max: 1 });
    await otherClient.query('rollback');
    expect(events).toEqual([{ event: 'migration_applied', migration: '0002-index' }]);
  });

  it('gives up while another process migrates, and names that process', async () => {
    await otherClient.query('select pg_advisory_lock(3853314791062309107)');
    const { rows } = await otherClient.query('select pg_backend_pid() as pid');
    const holder = `process ${rows[0].pid} \\(application a shop, login postgres, from [^,]+, since [-0-9: ]+Z\\)`;
    await expect(runMigrations([TABLES, CHANGE], { turns_max: 2 })).rejects.toThrow(
      new RegExp(
        `^Migration 0002-change waited 2 times for another process that migrates: ${holder}\\. .* pg_terminate_backend\\(${rows[0].pid}\\)`,
      ),
    );
    expect(events).toEqual([
      {
        event: 'migration_queued',
        migration: '0002-change',
        holder: expect.stringMatching(`^${holder}$`),
      },
    ]);
    await otherClient.query('select pg_advisory_unlock_all()');
    await runMigrations([TABLES, CHANGE]);
    expect(await listChangedTables()).toEqual(['a', 'b']);
  });

  it('is applied once by concurrent processes', async () => {
    await Promise.all([1, 2, 3].map(() => runMigrations([TABLES, CHANGE])));
    expect(events.filter(({ event }) => event === 'migration_applied')).toHaveLength(1);
  });

  it('that fails keeps those before it applied, and itself not', async () => {
    const brokenMigration = migrationFile('0003-broken', 'drop table b; select no_such_function()');
    await expect(runMigrations([TABLES, CHANGE, brokenMigration])).rejects.toThrow(
      /no_such_function/,
    );
    expect(await listChangedTables()).toEqual(['a', 'b']);
  });
});
