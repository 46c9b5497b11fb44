import { createHosts } from '@florin/contract/database/hosts.ts';
import { factsOf } from '@florin/contract/migrations/facts.ts';
import { type ClonedDatabase, cloneDatabase } from '@florin/dev-env/databases.ts';
import { expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { migrate } from '../../src/platform/database/migrate.ts';

const LISTS = ['kysely_migration', 'kysely_migration_lock'];

const open = (url: string): Database => openDatabase({ url, connections_max: 1 });

const factsIn = (db: Database): Promise<string[]> =>
  db.transaction((tx) =>
    factsOf({ query: (sql, values = []) => tx.query(sql, values) }, 'current_schema()', LISTS),
  );

const cloneOf = (schema: string): Promise<ClonedDatabase> => cloneDatabase(undefined, schema);

it('the migrations make the same tables in another schema, and nothing in public', async () => {
  await using usual = await cloneOf('public');
  await using other = await cloneOf('cell_a');
  await using usualDb = open(usual.url);
  await using otherDb = open(other.url);
  const facts = await factsIn(otherDb);
  expect(facts.length).toBeGreaterThan(1_000);
  expect(facts).toEqual(await factsIn(usualDb));
  expect(await otherDb.query(`select to_regnamespace('public') as found`, [])).toEqual([
    { found: null },
  ]);
});

it('two schemas of a database are apart', async () => {
  await using database = await cloneOf('cell_a');
  const otherUrl = database.url.replace('schema=cell_a', 'schema=cell_b');
  await migrate(otherUrl, { grant_to: 'florin_server' });
  await using owner = open(database.url);
  const insert = 'insert into merchants (id, created_at, updated_at) values ($1, now(), now())';
  await owner.query(insert, ['01935f00-0000-7000-8000-00000000b0b0']);
  const serverUrls = [database.serverUrl, database.serverUrl.replace('=cell_a', '=cell_b')];
  const counts = serverUrls.map(async (url) => {
    await using db = open(url);
    return (await db.query('select count(*) from merchants', []))[0]?.count;
  });
  expect(await Promise.all(counts)).toEqual(['1', '0']);
});

it('the server of a schema creates no object, and reads no vault', async () => {
  await using database = await cloneOf('cell_a');
  await using db = open(database.serverUrl);
  await expect(db.query('create table cell_a.planted (n integer)', [])).rejects.toThrow('denied');
  await expect(db.query('select from vault.cards', [])).rejects.toThrow('denied');
});

it('a login without the right to create schemas says who has to migrate', async () => {
  await using database = await cloneOf('cell_a');
  const url = database.serverUrl.replace('=cell_a', '=cell_b');
  await expect(migrate(url)).rejects.toThrow('Run "npm run florin -- migrate" as its owner');
});

it('an address with plans=fresh has no cached plans', async () => {
  await using database = await cloneOf('cell_a');
  const modesOf = async (url: string) => {
    await using db = open(url);
    const read = "select current_setting('plan_cache_mode') as mode";
    return [
      await db.query(read, [], undefined, 'kept'),
      await db.transaction((tx) => tx.query(read, []), { plans: 'kept' }),
      await db.transaction((tx) => tx.query(read, [])),
    ].map(([row]) => row?.mode);
  };
  const fresh = 'force_custom_plan';
  const kept = 'force_generic_plan';
  expect(await modesOf(database.serverUrl)).toEqual([kept, kept, 'auto']);
  expect(await modesOf(`${database.serverUrl}&plans=fresh`)).toEqual([fresh, fresh, fresh]);
});

it('an address with an unusable schema is refused before anything connects', () => {
  const url = "postgres://u@127.0.0.1:1/f?schema=a'b";
  expect(() => createHosts(url)).toThrow('its schema must be 1 to 31 lower-case letters');
});
