import { withClient } from '@florin/cli/database/client.ts';
import { testSchema } from '@florin/dev-env/config/env.ts';
import { type ClonedDatabase, cloneDatabase } from '@florin/dev-env/databases.ts';
import { openDatabase as openVaultDatabase } from '@florin/vault/store/db.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/platform/database/db.ts';
import { migrate } from '../../../src/platform/database/migrate.ts';

const SCHEMA = testSchema();

/** The attacker has the database login of the server or of the vault, and runs any statement with it. */
let database: ClonedDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
  await asAdmin('revoke temporary on database CURRENT from public');
});
afterAll(() => database[Symbol.asyncDispose]());

const nameOfDatabase = (): string => new URL(database.adminUrl).pathname.slice(1);

const attempt = (url: string, sql: string) =>
  withClient(url, (client) => client.query(sql.replaceAll('CURRENT', nameOfDatabase()))).then(
    ({ rows }) => rows,
    (error: Error) => error.message,
  );
const asAdmin = async (sql: string) => {
  const answer = await attempt(database.adminUrl, sql);
  if (typeof answer === 'string') throw new Error(answer);
  return answer;
};

const LOGINS = { server: 'serverUrl', vault: 'vaultUrl' } as const;
const OTHER_LOGIN = { server: 'florin_vault', vault: 'florin_server' } as const;

/** Statements with which a login could prepare code that the owner or the other login runs. */
const TAKEOVERS = [
  `create table ${SCHEMA}.planted (n integer)`,
  'create table vault.planted (n integer)',
  'create temporary table merchants (n integer)',
  'create schema planted',
  `create function ${SCHEMA}.lower(text) returns text language sql as 'select $1'`,
  'alter database CURRENT set search_path = planted, public',
  'alter role florin_owner in database CURRENT set search_path = planted, public',
  'alter role florin_owner password null',
  'set role florin_owner',
  'grant florin_owner to current_user',
  'drop database CURRENT',
];

describe.each(['server', 'vault'] as const)('the database login of the %s', (role) => {
  const url = () => database[LOGINS[role]];

  it.each(TAKEOVERS)('cannot run: %s', async (sql) => {
    expect(await attempt(url(), sql)).toMatch(
      /permission denied|must be owner|must be able to SET/,
    );
  });

  it('cannot change the other login', async () => {
    const other = OTHER_LOGIN[role];
    for (const change of ['set search_path = planted', `password 'x'`, 'superuser'])
      expect(await attempt(url(), `alter role ${other} ${change}`), change).toMatch(
        /permission denied to alter/,
      );
  });

  it('owns nothing', async () => {
    const sql = `select from pg_shdepend where refobjid = current_user::regrole and deptype = 'o'`;
    expect(await attempt(url(), sql)).toEqual([]);
  });
});

describe('the database login of the server', () => {
  it.each([
    'select * from vault.cards',
    'select * from vault.keks',
    `copy vault.sealing_keys to stdout`,
    `select pg_read_file('postgresql.conf')`,
    `copy merchants to program 'sh'`,
  ])('reads nothing by: %s', async (sql) => {
    expect(await attempt(database.serverUrl, sql)).toMatch(/permission denied/);
  });

  it.each([
    'alter table payment_demands disable trigger all',
    'drop trigger payment_demands_transition on payment_demands',
    'truncate events',
    `insert into kysely_migration values ('9999-newer', 'now', 'x')`,
    'create trigger leak before insert on payment_methods execute function assert_whole()',
  ])('keeps the rules of its tables: %s', async (sql) => {
    expect(await attempt(database.serverUrl, sql)).toMatch(/permission denied|must be owner/);
  });

  it('cannot lead the names of later sessions elsewhere, although it may change its own settings', async () => {
    const set = 'alter role current_user in database CURRENT set search_path = pg_temp, planted';
    expect(await attempt(database.serverUrl, set)).toEqual([]);
    await using db = openDatabase({ url: database.serverUrl, connections_max: 1 });
    expect(await db.query('show search_path', [])).toEqual([{ search_path: `${SCHEMA},pg_temp` }]);
  });

  it('is refused by a program whose migrations it lacks, with the command to run', async () => {
    await asAdmin(`delete from kysely_migration where name like '0098%'`);
    const message = /lacks migrations up to 0098-pinned-functions, .* "npm run florin -- migrate"/;
    await expect(migrate(database.serverUrl)).rejects.toThrow(message);
    await migrate(database.url);
    await migrate(database.serverUrl);
  });
});

it('gets its rights again when several owners migrate at once', async () => {
  await asAdmin('revoke select on merchants from florin_server');
  const grant_to = 'florin_server';
  await Promise.all(Array.from({ length: 5 }, () => migrate(database.url, { grant_to })));
  expect(await attempt(database.serverUrl, `select from ${SCHEMA}.merchants`)).toEqual([]);
});

describe('the database login of the vault', () => {
  it.each([
    ['reads no table of the server', `select * from ${SCHEMA}.merchants`, 'permission denied'],
    ['changes no audit entry', `update vault.audit set outcome = 'ok'`, 'permission denied'],
    ['removes no audit entry', 'delete from vault.audit', 'permission denied'],
    ['empties no audit', 'truncate vault.audit', 'permission denied'],
    [
      'drops no protection of the audit',
      'drop trigger append_only on vault.audit',
      'must be owner',
    ],
  ])('%s', async (_name, sql, message) => {
    expect(await attempt(database.vaultUrl, sql)).toContain(message);
  });

  it('has sessions that find no tables by a bare name', async () => {
    await using db = await openVaultDatabase(database.vaultUrl, () => {});
    expect(await db.query('show search_path')).toEqual([{ search_path: 'pg_catalog,pg_temp' }]);
  });

  it('removes deleted verification values from their file', async () => {
    expect(await attempt(database.vaultUrl, 'vacuum (full) vault.cvvs')).toEqual([]);
    const file = `select pg_relation_filepath('vault.cvvs') as file`;
    const before = await attempt(database.vaultUrl, file);
    await attempt(database.vaultUrl, 'vacuum (full) vault.cvvs');
    expect(await attempt(database.vaultUrl, file)).not.toEqual(before);
  });
});
