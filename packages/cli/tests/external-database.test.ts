import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkExternal } from '../src/database/check-external.ts';
import { withClient } from '../src/database/client.ts';
import { temporaryDirectory } from './support.ts';

const adminUrl = process.env.FLORIN_TEST_POSTGRES!;
const suffix = randomBytes(4).toString('hex');
const [plain, creator, database] = [`plain_${suffix}`, `creator_${suffix}`, `external_${suffix}`];

const urlOf = (parts: { user?: string; password?: string; name?: string; host?: string }) => {
  const url = new URL(adminUrl);
  url.pathname = `/${parts.name ?? database}`;
  if (parts.user) [url.username, url.password] = [parts.user, parts.password ?? 'right'];
  if (parts.host) url.searchParams.set('host', parts.host);
  return url.href;
};

const runSql = (url: string, sql: string) => withClient(url, (client) => client.query(sql));

/** Users created for vaults. */
const vaults = new Set<string>();

async function check(...args: Parameters<typeof checkExternal>) {
  const urls = await checkExternal(...args);
  const { username } = new URL(urls.vault);
  if (username.startsWith('florin_vault_')) vaults.add(username);
  return urls;
}

beforeAll(async () => {
  await runSql(adminUrl, `create role ${plain} login password 'right'`);
  await runSql(adminUrl, `create role ${creator} login createrole password 'right'`);
  await runSql(adminUrl, `create database ${database} owner ${creator}`);
});
afterAll(async () => {
  await runSql(adminUrl, `drop database ${database} with (force)`);
  const { rows } = await runSql(
    adminUrl,
    `select rolname from pg_roles where rolname ~ '^florin_vault_'`,
  );
  for (const name of [...rows.map(({ rolname }) => rolname), plain, creator]) {
    await runSql(adminUrl, `drop role ${name}`);
  }
});

describe('an external database', () => {
  it('gets a user for the vault if its own user may create roles', async () => {
    const server = urlOf({ user: creator });
    const dataDir = temporaryDirectory();
    const urls = await check(server, dataDir);
    expect(urls.warning).toBeUndefined();
    expect(await check(server, dataDir)).toEqual(urls);
    await runSql(urls.vault, 'create table vault.cards (id int)');
    await expect(runSql(server, 'select from vault.cards')).rejects.toThrow('permission denied');
  });

  it('lets the vault of another data directory share the schema of the first', async () => {
    const { vault } = await check(urlOf({ user: creator }), temporaryDirectory());
    await runSql(vault, 'alter table vault.cards add column brand text');
    expect((await runSql(vault, 'select brand from vault.cards')).rows).toEqual([]);
    await runSql(vault, 'drop table vault.cards');
  });

  it("keeps the vault's user across starts", async () => {
    const dataDir = temporaryDirectory();
    const firstUrls = await check(urlOf({ user: creator }), dataDir);
    expect(await check(urlOf({ user: creator }), dataDir)).toEqual(firstUrls);
  });

  it('is used by both with one user, with a warning, if that user may not create roles', async () => {
    const server = urlOf({ user: plain });
    const urls = await check(server, temporaryDirectory());
    expect(urls).toEqual({
      server,
      vault: server,
      warning: expect.stringContaining('VAULT_DATABASE_URL'),
    });
  });

  it('is used by the vault as VAULT_DATABASE_URL says', async () => {
    const [server, vault] = [urlOf({ user: creator }), urlOf({ user: plain })];
    expect(await check(server, temporaryDirectory(), vault)).toEqual({ server, vault });
  });
});

describe('an unusable database is refused in one sentence', () => {
  it.each([
    ['no address', 'localhost:5432', /^DATABASE_URL must look like postgresql:/],
    [
      'nothing listens',
      'postgresql://u:p@127.0.0.1:1/d',
      /^DATABASE_URL cannot be used: no PostgreSQL answers there; /,
    ],
    ['no socket', urlOf({ host: '/nowhere' }), /no PostgreSQL answers on that socket; /],
    [
      'no such host',
      'postgresql://u:p@florin.invalid/d',
      /its host name is not known; correct it\.$/,
    ],
    ['no such database', urlOf({ name: 'absent' }), /there is no database of that name; create it/],
    [
      'wrong password',
      urlOf({ user: plain, password: 'wrong' }),
      /the password is wrong; correct it\.$/,
    ],
  ])('%s', async (_name, url, sentence) => {
    await expect(check(url, temporaryDirectory())).rejects.toThrow(sentence);
  });
});
