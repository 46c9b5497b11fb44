import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { factsOf } from '@florin/contract/migrations/facts.ts';
import { emptyDatabase } from '@florin/dev-env/databases.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate, readServerHistory } from '../../src/platform/database/migrate.ts';
import {
  applyEarlierMigrations,
  type EarlierVersion,
  MIGRATIONS_PATH,
} from './earlier-database.ts';

const LIST_TABLES = ['kysely_migration', 'kysely_migration_lock'];
/** Parts that facts ignore: operators, parentheses and casts of expressions. */
const EXPRESSIONS_SQL = `
  select t.relname || ' ' || c.conname as name, pg_get_constraintdef(c.oid) as sql
  from pg_constraint c join pg_class t on t.oid = c.conrelid
  where c.connamespace = current_schema()::regnamespace and t.relname <> all($1)
  union all
  select t.relname || ' ' || a.attname, pg_get_expr(d.adbin, d.adrelid)
  from pg_attrdef d join pg_class t on t.oid = d.adrelid
    join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
  where t.relnamespace = current_schema()::regnamespace
  union all
  select indexname, indexdef from pg_indexes where schemaname = current_schema() and tablename <> all($1)
  order by 1, 2`;

interface OpenedDatabase extends AsyncDisposable {
  readonly url: string;
  readonly client: pg.Client;
}

async function openEmptyDatabase(): Promise<OpenedDatabase> {
  const database = await emptyDatabase();
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => {});
  await client.connect();
  const close = () => client.end().then(() => database[Symbol.asyncDispose]());
  return { url: database.url, client, [Symbol.asyncDispose]: close };
}

const sessionOf = (client: pg.Client) => ({
  query: async (sql: string, values?: readonly unknown[]) =>
    (await client.query(sql, values as unknown[] | undefined)).rows,
});
const readFacts = (client: pg.Client) =>
  factsOf(sessionOf(client), 'current_schema()', LIST_TABLES);
const readExpressions = async (client: pg.Client) =>
  (await client.query(EXPRESSIONS_SQL, [LIST_TABLES])).rows;
const readList = async (client: pg.Client) =>
  (await client.query('select name, checksum from kysely_migration order by name')).rows;

const readState = async (client: pg.Client) => ({
  facts: await readFacts(client),
  expressions: await readExpressions(client),
  list: await readList(client),
});

let newDatabase: OpenedDatabase;
/** State of a new database. */
let expectedState: Awaited<ReturnType<typeof readState>>;
beforeAll(async () => {
  newDatabase = await openEmptyDatabase();
  await migrate(newDatabase.url);
  expectedState = await readState(newDatabase.client);
});
afterAll(() => newDatabase?.[Symbol.asyncDispose]());

const EDITED_NAMES = ['0018-billing', '0024-recorded-events', '0031-shared-limits', '0033-unpaid'];
const WITHDRAWN_NAMES = ['0034-posted-summaries'];

/** Together these versions applied every edited and the withdrawn migration, and one lacks an earlier migration. */
describe('a database made by main', () => {
  it.each<[string, EarlierVersion]>([
    [
      'at 6e81636',
      {
        firstUnapplied: '0034',
        editedNames: ['0033-unpaid'],
        skippedNames: ['0031-shared-limits'],
      },
    ],
    [
      'from 32f853f through 71afb4e to 707ee92',
      { firstUnapplied: '0034', editedNames: EDITED_NAMES, withdrawnNames: WITHDRAWN_NAMES },
    ],
  ])('%s is upgraded to the state of a new database', async (_name, version) => {
    await using database = await openEmptyDatabase();
    await applyEarlierMigrations(database.client, version);
    await migrate(database.url);
    expect(await readState(database.client)).toEqual(expectedState);
    await migrate(database.url);
  });

  it('right before checksums and changed by hand is not adopted, and the message names the differences', async () => {
    await using database = await openEmptyDatabase();
    await applyEarlierMigrations(database.client, { firstUnapplied: '0039' });
    await database.client.query('drop index payment_subscriptions_due; create table own (id uuid)');
    await expect(migrate(database.url)).rejects.toThrow(
      /It lacks "index payment_subscriptions\.payment_subscriptions_due btree due_at .*"\. Change it by hand/,
    );
    const checkedRows = (await readList(database.client)).filter(
      ({ checksum }) => checksum !== null,
    );
    expect(checkedRows.map(({ name }) => name)).toEqual(['0039-edited-migrations']);
    await database.client.query(
      'create index payment_subscriptions_due on payment_subscriptions (due_at) where due_at is not null',
    );
    await migrate(database.url);
    await database.client.query('drop table own');
    expect(await readState(database.client)).toEqual(expectedState);
  });
});

describe('a migrated database', () => {
  it('has the name and checksum of each migration', async () => {
    const { files } = await readServerHistory();
    expect(await readList(newDatabase.client)).toEqual(
      files.map(({ name, checksum }) => ({ name, checksum })),
    );
  });

  it('that applied other content is refused, and nothing is changed', async () => {
    const { files, ...history } = await readServerHistory();
    const editedFiles = files.map((file) =>
      file.name === '0005-authentications' ? { ...file, checksum: 'another' } : file,
    );
    const nextFile = { name: '9999-next', sql: 'create table never_made ()', checksum: 'next' };
    await expect(
      migrate(newDatabase.url, { history: { ...history, files: [...editedFiles, nextFile] } }),
    ).rejects.toThrow(
      /applied other contents of 0005-authentications than this program has: .* Start an unedited release/,
    );
    expect(
      (await newDatabase.client.query(`select to_regclass('never_made') as made`)).rows,
    ).toEqual([{ made: null }]);
  });

  it('of a newer version is refused', async () => {
    const { files, ...history } = await readServerHistory();
    await expect(
      migrate(newDatabase.url, { history: { ...history, files: files.slice(0, -1) } }),
    ).rejects.toThrow(/^The database was made by a newer Florin \(it has /);
  });

  it('at the first stored checksum has the facts that earlier databases are compared with', async () => {
    const history = await readServerHistory();
    const { through } = history.adoption;
    const files = history.files.filter(({ name }) => name <= through);
    await using database = await openEmptyDatabase();
    await migrate(database.url, { history: { ...history, files } });
    const committedFacts = readFileSync(join(MIGRATIONS_PATH, 'adopted-schema.txt'), 'utf8');
    expect(`${(await readFacts(database.client)).join('\n')}\n`).toBe(committedFacts);
  });
});
