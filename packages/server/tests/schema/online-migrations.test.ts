import type { MigrationEvent } from '@florin/contract/migrations/migration.ts';
import { changeOf, selectBatch } from '@florin/contract/migrations/online/backfill.ts';
import type { MigrationFile } from '@florin/contract/migrations/plan.ts';
import { emptyDatabase } from '@florin/dev-env/databases.ts';
import { startLossyDatabase } from '@florin/dev-env/lossy-database.ts';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type MigrateOptions,
  migrate,
  readServerHistory,
} from '../../src/platform/database/migrate.ts';
import { eventually } from '../support/make.ts';

const migrationFile = (name: string, sql: string): MigrationFile => ({
  name,
  sql,
  checksum: name,
  phase: 'expand',
});
const ROWS = 250;
const TABLES = migrationFile(
  '0001-tables',
  `-- florin: expand
  create table parts (shop integer, n integer, twice integer, primary key (shop, n));
  create table visits (n integer);
  insert into parts select n % 3, n, null from generate_series(1, ${ROWS}) n`,
);
const INDEX = migrationFile(
  '0002-index',
  '-- florin: expand, online\ncreate unique index concurrently parts_n on parts (n);',
);
const BACKFILL = migrationFile(
  '0002-backfill',
  `-- florin: expand, online
  update parts p set twice = 2 * p.n where p.twice is null and :batch;`,
);
/** A change whose repetition shows. */
const ADDITION = migrationFile(
  '0002-addition',
  `-- florin: expand, online
  update parts set twice = coalesce(twice, 0) + 2 * n where :batch;`,
);

let stack: AsyncDisposableStack;
let url: string;
let client: pg.Client;
let events: MigrationEvent[];
let history: Awaited<ReturnType<typeof readServerHistory>>;

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  ({ url } = stack.use(await emptyDatabase()));
  client = new pg.Client({ connectionString: url });
  await client.connect();
  stack.defer(() => client.end());
  history = await readServerHistory();
  await run([TABLES]);
  events = [];
});
afterEach(() => stack.disposeAsync());

const run = (
  files: readonly MigrationFile[],
  options: MigrateOptions = {},
  address = url,
): Promise<void> =>
  migrate(address, {
    history: { ...history, removed: {}, files },
    report: (event) => events?.push(event),
    batch_rows: 100,
    ...options,
  });

const rowsOf = async (sql: string) => (await client.query(sql)).rows;
const readIndex = () =>
  rowsOf(`select indisvalid as valid from pg_index where indexrelid = to_regclass('parts_n')`);
const readApplied = async () =>
  (await rowsOf('select name, phase from kysely_migration order by name')).map(
    ({ name, phase }) => `${name} ${phase}`,
  );
const APPLIED = { event: 'migration_applied', migration: '0002-index' };

/** Backends of this database that wait for the end of a transaction. */
const WAITING_SQL = `select pid from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and application_name = 'florin migrate'`;
const waitUntilBlocked = () =>
  eventually(
    () => rowsOf(WAITING_SQL),
    (rows) => rows.length > 0,
  );

describe('an index that is built online', () => {
  it('lets others write meanwhile, and waits for them', async () => {
    const writer = new pg.Client({ connectionString: url });
    await writer.connect();
    stack.defer(() => writer.end());
    await writer.query('begin; insert into parts values (9, 1000)');
    const running = run([TABLES, INDEX]);
    await waitUntilBlocked();
    await client.query('insert into parts values (9, 1001)');
    await writer.query('insert into parts values (9, 1002); commit');
    await running;
    expect(await readIndex()).toEqual([{ valid: true }]);
    expect(await readApplied()).toEqual(['0001-tables expand', '0002-index expand']);
  });

  it('is dropped and built again if a build was interrupted', async () => {
    await client.query('begin; insert into parts values (9, 1000)');
    const running = run([TABLES, INDEX]);
    const failure = expect(running).rejects.toThrow();
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await eventually(
      async () => (await other.query(WAITING_SQL)).rows,
      (rows) => rows.length > 0,
    );
    await other.query(`select pg_terminate_backend(pid) from (${WAITING_SQL}) waiting`);
    await failure;
    await other.end();
    await client.query('commit');
    expect(await readIndex()).toEqual([{ valid: false }]);
    expect(await readApplied()).toEqual(['0001-tables expand']);
    await run([TABLES, INDEX]);
    expect(await readIndex()).toEqual([{ valid: true }]);
    await run([TABLES, INDEX]);
    expect(events).toEqual([APPLIED]);
  });

  it('fails with the cause if rows forbid it, and is built when they are corrected', async () => {
    await client.query('insert into parts values (9, 1)');
    await expect(run([TABLES, INDEX])).rejects.toThrow(/could not create unique index "parts_n"/);
    await client.query('delete from parts where shop = 9');
    await run([TABLES, INDEX]);
    expect(await readIndex()).toEqual([{ valid: true }]);
  });

  it('is kept if somebody built it before', async () => {
    await client.query('create unique index parts_n on parts (n)');
    const [before] = await rowsOf(`select 'parts_n'::regclass::oid as oid`);
    await run([TABLES, INDEX]);
    expect(await rowsOf(`select 'parts_n'::regclass::oid as oid`)).toEqual([before]);
  });

  it('is built once by concurrent processes', async () => {
    await Promise.all([1, 2, 3].map(() => run([TABLES, INDEX])));
    expect(events.filter(({ event }) => event === 'migration_applied')).toEqual([APPLIED]);
    expect(await readIndex()).toEqual([{ valid: true }]);
  });

  it('is refused through PgBouncer, with the next step', async () => {
    const pooled = `${url}${url.includes('?') ? '&' : '?'}pgbouncer=true`;
    const failure = migrate(pooled, {
      history: { ...history, removed: {}, files: [TABLES, INDEX] },
    });
    await expect(failure).rejects.toThrow(
      /^Migration 0002-index needs a connection of its own, .* with the address of PostgreSQL itself\.$/,
    );
  });
});

describe('a backfill', () => {
  it('changes every row in batches, and reports how far it is', async () => {
    await run([TABLES, BACKFILL], { batch_rows: 2 });
    expect(await rowsOf('select count(*)::int as n from parts where twice = 2 * n')).toEqual([
      { n: ROWS },
    ]);
    expect(events).toEqual([
      expect.objectContaining({ event: 'migration_progress', step: 'rows of parts', done: 200 }),
      { event: 'migration_applied', migration: '0002-backfill' },
    ]);
    expect(await rowsOf(`select to_regclass('migration_progress') as kept`)).toEqual([
      { kept: null },
    ]);
  });

  it('continues after a crash, and repeats no batch that is done', async () => {
    await client.query(`
      create function note_visit() returns trigger language plpgsql as $$ begin
        if old.shop = 2 and old.n > 200 then raise exception 'crash'; end if;
        insert into visits values (old.n); return new;
      end $$;
      create trigger noted before update on parts for each row execute function note_visit()`);
    await expect(run([TABLES, BACKFILL])).rejects.toThrow('crash');
    expect(await rowsOf('select count(*)::int as n from visits')).toEqual([{ n: 200 }]);
    expect(await readApplied()).toEqual(['0001-tables expand']);
    await client.query(`drop trigger noted on parts;
      create or replace function note_visit() returns trigger language plpgsql as $$ begin
        insert into visits values (old.n); return new;
      end $$;
      create trigger noted before update on parts for each row execute function note_visit();
      update parts set twice = null`);
    await client.query('delete from visits');
    await run([TABLES, BACKFILL]);
    expect(await rowsOf('select count(*)::int as n from visits')).toEqual([{ n: ROWS - 200 }]);
  });

  it('waits for rows that others hold, and says who', async () => {
    await client.query('begin; update parts set twice = 0 where shop = 0 and n = 3');
    const running = run([TABLES, BACKFILL]);
    await eventually(
      async () => events,
      ([first]) => first?.event === 'migration_waits',
    );
    await client.query('rollback');
    await running;
    const { rows } = await client.query('select pg_backend_pid() as pid');
    expect(events[0]).toMatchObject({
      tables: ['parts'],
      holders: [expect.stringContaining(`process ${rows[0].pid} (`)],
    });
    expect(events.at(-1)).toMatchObject({ event: 'migration_applied' });
  });

  const readWrong = () => rowsOf('select n, twice from parts where twice is distinct from 2 * n');

  it('changes each row once if its session ends after any of its writes', async () => {
    let writes = 0;
    let lost = 0;
    const lossy = await startLossyDatabase(url, () => {
      writes += 1;
      return writes === lost ? 'lose' : 'pass';
    });
    stack.use(lossy);
    do {
      await client.query(`update parts set twice = null;
        delete from kysely_migration where name = '${ADDITION.name}';
        drop table if exists migration_progress`);
      lost += 1;
      writes = 0;
      await run([TABLES, ADDITION], {}, lossy.url).catch(() => {});
      await run([TABLES, ADDITION]);
      expect(await readWrong(), `session ended after write ${lost}`).toEqual([]);
    } while (writes >= lost);
    // Three batches of a change, its progress and its commit, and the end of the migration.
    expect(lost).toBeGreaterThan(3 * 3 + 2);
  });

  it('ends with the session that has the lock of migrations, before another process begins', async () => {
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    stack.defer(() => holder.end());
    await holder.query('begin; update parts set twice = null where shop = 0 and n = 3');
    const first = expect(run([TABLES, ADDITION])).rejects.toThrow();
    await waitUntilBlocked();
    const lockSql = `select pid from pg_locks where locktype = 'advisory' and granted and database =
      (select oid from pg_database where datname = current_database())`;
    await client.query(`select pg_terminate_backend(pid) from (${lockSql}) holders`);
    const second = run([TABLES, ADDITION]);
    await eventually(
      () => rowsOf(`select from (${lockSql}) holders`),
      (rows) => rows.length === 1,
    );
    await waitUntilBlocked();
    await holder.query('rollback');
    await Promise.all([first, second]);
    expect(await readWrong()).toEqual([]);
  });

  it.each([
    { name: 'a key of one column', table: 'visitors', columns: ['id'] },
    {
      name: 'a key of two columns, the first with one value',
      table: 'halls',
      columns: ['shop', 'n'],
    },
  ])('finds a batch by the primary key alone, and reads only its rows, by $name', async (given) => {
    const { table, columns } = given;
    await client.query(`
      create table visitors (id uuid primary key, kind text, twice integer) with (fillfactor = 10);
      insert into visitors select gen_random_uuid(), 'old', null from generate_series(1, 20000);
      create table halls (shop integer, n integer, kind text, twice integer, primary key (shop, n))
        with (fillfactor = 10);
      insert into halls select 1, n, 'old', null from generate_series(1, 20000) n;
      create index on visitors (kind); create index on halls (shop);
      create index on halls (shop, twice); analyze`);
    const { rows } = await client.query({
      text: `${selectBatch(table, columns, [], 250)} offset 10000`.replace('for no key update', ''),
      rowMode: 'array',
    });
    const after = JSON.parse(rows[0]?.[0]) as string[];
    const change = `update ${table} set twice = 1 where kind = 'old' and twice is null and :batch`;
    const search = await explain(selectBatch(table, columns, after, 250), after);
    expect(search).toContain(`using ${table}_pkey`);
    expect(search).not.toMatch(/Sort|Seq Scan|_idx/);
    const places = rows.map(([, place]) => place);
    expect(
      await explain(changeOf({ kind: 'backfill', table, alias: table, sql: change }), [places]),
    ).toMatch(/^Update on .*\n +-> +Tid Scan on /);
  });

  const explain = async (sql: string, values: unknown[]): Promise<string> =>
    (await client.query(`explain ${sql}`, values)).rows.map((row) => row['QUERY PLAN']).join('\n');
});
