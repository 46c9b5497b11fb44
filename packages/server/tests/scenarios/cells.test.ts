import { join } from 'node:path';
import { withClient } from '@florin/cli/database/client.ts';
import { cloneDatabase, emptyDatabase } from '@florin/dev-env/databases.ts';
import { startStack } from '@florin/dev-env/stack.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { openDirectory } from '../../src/features/cells/directory.ts';
import { describeCells } from '../../src/features/cells/list.ts';
import { hashKey } from '../../src/features/merchants/api-key.ts';
import { draftAccountEmail } from '../../src/features/people/emails/draft.ts';
import type { Database } from '../../src/platform/database/db.ts';
import { uuidv7 } from '../../src/platform/ids.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { useOwnStack } from '../support/api.ts';
import { signIn } from '../support/browser.ts';
import { makeCell, openOne, runCell, startCellServer } from '../support/cells.ts';
import { type Client, createClient, documentOf, type ResourceObject } from '../support/client.ts';
import { sealerOf } from '../support/instance-secrets.ts';
import { makeDemand, makeLink, makeParties, waitForOutcome } from '../support/make.ts';
import { post } from '../support/people.ts';

const api = useOwnStack();
const SECRETS = join(import.meta.dirname, '../../src/bin/secrets.ts');
const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

const newDatabase = async (): Promise<string> => cleanup.use(await emptyDatabase()).url;
/** Without merchants, and no cell: as after a crash that came after the migrations. */
const migratedDatabase = async (): Promise<string> => cleanup.use(await cloneDatabase()).url;

const run = (words: readonly string[], address = '', options = {}) =>
  runCell(api.stack, words, { address, ...options });

const create = (
  name: string,
  address: string,
  { dry_run = false, ...options }: Parameters<typeof makeCell>[2] & { dry_run?: boolean } = {},
): Promise<void> => makeCell(api, { name, address, dry_run }, options);

const cells = async () =>
  describeCells({
    global: api.fixtures.global,
    sealer: await sealerOf(api.stack.dataDir),
    open: openOne,
  });

const countTables = async (url: string): Promise<number> => {
  await using db = openOne(url);
  const [row] = await db.query(
    `select count(*) as count from pg_class where relnamespace = 'public'::regnamespace`,
    [],
  );
  return Number(row?.count);
};

/** Starts another server of the stack's installation. */
const startAnother = (databaseUrl: string, global_database_url: string) =>
  startCellServer(api.stack, databaseUrl, { global_database_url }, cleanup);

const makeKey = async (client: Client): Promise<ResourceObject> => {
  const key = documentOf('merchant_tokens', { name: 'New', context: 'secret' });
  const { status, body } = await client.send('POST', '/v2/merchant_tokens', key);
  expect(status).toBe(201);
  return body.data;
};

const directoryOf = async (merchant_id: string) => {
  const [row] = await api.fixtures.global.query(
    `select c.name as cell, (select count(*) from directory_keys k where k.merchant_id = m.merchant_id) as keys,
       (select count(*) from directory_links l where l.merchant_id = m.merchant_id) as links
     from directory_merchants m join cells c on c.id = m.cell_id where m.merchant_id = $1`,
    [merchant_id],
  );
  return row;
};

describe('florin cell create', () => {
  it('only looks at the database with --dry-run', async () => {
    const address = await newDatabase();
    const { code, text } = await run(['create', 'dry', '--dry-run'], address);
    expect([code, text]).toEqual([0, expect.stringContaining('Would create the cell dry at')]);
    expect(await countTables(address)).toBe(0);
    expect((await cells()).map(({ name }) => name)).not.toContain('dry');
  });

  it('migrates and opens an empty database, also when repeated, and hides its address', async () => {
    const address = await newDatabase();
    const results = [
      await run(['create', 'first'], address),
      await run(['create', 'first'], address),
    ];
    expect(results.map(({ code }) => code)).toEqual([0, 0]);
    const [cell] = (await cells()).filter(({ name }) => name === 'first');
    expect(cell).toMatchObject({ state: 'open', merchants: 0, problem: undefined });
    const [row] = await api.fixtures.global.query(
      `select address from cells where name = 'first'`,
      [],
    );
    expect(row?.address).toMatch(/^s1\./);
    const other = await run(['create', 'first'], await newDatabase());
    expect([other.code, other.text]).toEqual([1, expect.stringContaining('has another address')]);
    const renamed = await run(['create', 'second'], address);
    expect([renamed.code, renamed.text]).toEqual([
      1,
      expect.stringContaining('another cell already'),
    ]);
  });

  it('gives one name to one database, also when two commands run at once', async () => {
    const [address, otherAddress] = [await newDatabase(), await migratedDatabase()];
    let isFirst = true;
    /** Lets the other command finish after the first one has looked for the name. */
    const openLate = (url: string): Database => {
      const db = openOne(url);
      return {
        ...db,
        async query(...statement) {
          if (isFirst) {
            isFirst = false;
            await create('twice', otherAddress);
          }
          return db.query(...statement);
        },
      };
    };
    await expect(create('twice', address, { open: openLate })).rejects.toThrow('meanwhile');
    expect(await countTables(address)).toBe(0);
  });

  it('continues after a crash during the migrations', async () => {
    const address = await newDatabase();
    const crash = (line: string): void => {
      if (line.startsWith('Applied 0100')) throw new Error('the process died');
    };
    await expect(create('crashed', address, { print: crash })).rejects.toThrow('the process died');
    const stateOf = async () => (await cells()).find(({ name }) => name === 'crashed');
    expect(await stateOf()).toMatchObject({
      state: 'preparing',
      problem: expect.stringMatching(/lacks \d+/),
    });
    await create('crashed', address);
    expect(await stateOf()).toMatchObject({ state: 'open', problem: undefined });
  });

  it('refuses what is no empty database before it changes anything', async () => {
    const foreign = await newDatabase();
    await withClient(foreign, (client) => client.query('create table theirs (id int)'));
    await expect(create('foreign', foreign)).rejects.toThrow('1 tables of another program');
    const newer = cleanup.use(await cloneDatabase()).url;
    await using db = openOne(newer);
    await db.query(
      `insert into kysely_migration (name, timestamp) values ('9999-later', 'now')`,
      [],
    );
    await expect(create('newer', newer)).rejects.toThrow('does not know 9999-later');
    await expect(create('gone', 'postgres://nobody@127.0.0.1:1/none')).rejects.toThrow();
    const names = (await cells()).map(({ name }) => name);
    expect(names).not.toEqual(expect.arrayContaining(['foreign', 'newer', 'gone']));
  });
});

it('takes payments without the database of people, where nobody can sign in', async () => {
  const people = cleanup.use(await cloneDatabase());
  const global_database_url = people.serverUrl;
  const stack = cleanup.use(await startStack({ config: { global_database_url } }));
  const client = createClient(stack.baseUrl, stack.credentials.sandbox.secret_key);
  await signIn(stack.baseUrl, stack.credentials.account);
  await withClient(stack.adminDatabaseUrl, (admin) =>
    admin.query(`drop database ${new URL(people.url).pathname.slice(1)} with (force)`),
  );
  const demand = await makeDemand(client, {}, await makeParties(client));
  await client.send('PATCH', `/v2/payment_demands/${demand.id}/confirm`);
  expect((await waitForOutcome(client, demand.id)).attributes.status).toBe('succeeded');
  await expect(signIn(stack.baseUrl, stack.credentials.account)).rejects.toThrow('sign-in');
});

it.each([
  ['the address', 'databaseUrl'],
  ['another login', 'serverDatabaseUrl'],
] as const)(
  'has one database if FLORIN_GLOBAL_DATABASE_URL is %s of DATABASE_URL',
  async (_, global) => {
    const server = await startAnother(api.stack.databaseUrl, api.stack[global]);
    const owner = await signIn(server.url, api.stack.credentials.account);
    const { id } = (await post(owner, 'merchants', { business_name: 'One place' })).body;
    const invitation = documentOf('memberships', { email: `invited-${global}@example.com` });
    const headers = { 'florin-merchant': id, 'florin-mode': 'live' };
    expect((await owner.send('POST', '/v2/memberships', invitation, headers)).status).toBe(201);
  },
);

describe('an email of people while the global database does not answer', () => {
  it.each(['mention', 'password_changed'])('%s leaves the pool of the cell free', async (kind) => {
    await using db = openOne(api.stack.databaseUrl);
    await using global = openOne(api.stack.databaseUrl);
    const release = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const holder = global.transaction(async () => {
      held.resolve();
      await release.promise;
    });
    await held.promise;
    const config = { public_url: 'https://florin.example' };
    const facts = { merchant_id: uuidv7(0), membership_id: uuidv7(0), mode: 'live' };
    const email = { kind, facts: JSON.stringify(facts), to_email: 'a@example.com', locale: 'en' };
    let isDrafted = false;
    const services = { db, global, system_clock: systemClock(), config };
    const draft = draftAccountEmail(services, email).then(() => {
      isDrafted = true;
    });
    try {
      if (kind === 'mention') await draft;
      await db.query('select 1', []);
      expect(isDrafted).toBe(kind === 'mention');
    } finally {
      release.resolve();
      await Promise.all([draft, holder]);
    }
  });
});

describe('an installation with two cells', () => {
  it('enters merchants, keys and links of both, and signs people in at both', async () => {
    const { databaseUrl, credentials } = api.stack;
    await create('home', databaseUrl);
    const { id } = await api.fixtures.getDemoMerchant();
    const before = await directoryOf(id);
    expect(before).toMatchObject({ cell: 'home', links: '0' });
    await api.stack.restart('server');
    const owner = await signIn(api.stack.baseUrl, credentials.account);
    await makeKey(api.client);
    await makeLink(api.client);
    expect(await directoryOf(id)).toEqual({
      cell: 'home',
      keys: String(Number(before?.keys) + 1),
      links: '1',
    });
    const opened = await post(owner, 'merchants', { business_name: 'Another' });
    expect(await directoryOf(opened.body.id)).toEqual({ cell: 'home', keys: '0', links: '0' });

    const address = await migratedDatabase();
    await create('away', address);
    const server = await startAnother(address, databaseUrl);
    const traveller = await signIn(server.url, credentials.account);
    const away = (await post(traveller, 'merchants', { business_name: 'Away' })).body.id;
    expect(await directoryOf(away)).toEqual({ cell: 'away', keys: '0', links: '0' });
    const made = await traveller.send(
      'POST',
      '/v2/merchant_tokens',
      documentOf('merchant_tokens', { name: 'Server', context: 'secret' }),
      { 'florin-merchant': away, 'florin-mode': 'sandbox' },
    );
    const token = made.body.data.attributes.token as string;
    const statusAt = async (url: string) => createClient(url, token).get('/v2/customers');
    expect((await statusAt(server.url)).status).toBe(200);
    const elsewhere = await statusAt(api.stack.baseUrl);
    expect([elsewhere.status, elsewhere.body.errors?.[0]?.detail]).toEqual([
      401,
      expect.stringContaining('belongs to the cell away'),
    ]);
    const [entry] = await api.fixtures.global.query(
      `select merchant_id from directory_keys where token_hash = decode($1, 'hex')`,
      [hashKey(token)],
    );
    expect(entry?.merchant_id).toBe(away);
  });

  it.each(['rotate', 'reseal', 'end-overlap'])(
    'refuses "secrets %s" at each cell: the others would lose their secrets',
    async (command) => {
      await create('home', api.stack.databaseUrl);
      const guest = await migratedDatabase();
      await create(`guest_${command.slice(0, 3)}`, guest);
      const sealed = () =>
        api.fixtures.global.query(
          'select name, version, sealed, expires_at from instance_secrets order by name, version',
          [],
        );
      const before = await sealed();
      for (const databaseUrl of [api.stack.databaseUrl, guest])
        expect(await run([command], '', { program: SECRETS, databaseUrl })).toEqual({
          code: 1,
          text: expect.stringContaining('this installation has cells'),
        });
      expect(await sealed()).toEqual(before);
    },
  );

  it('rotates more keys at once than the pool has connections', async () => {
    const keys = await Promise.all(Array.from({ length: 24 }, () => makeKey(api.client)));
    const rotations = keys.map(({ id }) =>
      api.client.send('PATCH', `/v2/merchant_tokens/${id}/rotate`),
    );
    const statuses = (await Promise.all(rotations)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('refuses an unknown key as usual while the global database is down', async () => {
    await create('home', api.stack.databaseUrl);
    await using db = openOne(api.stack.databaseUrl);
    await using global = openOne('postgres://nobody@127.0.0.1:1/none');
    const [clock, logger] = [systemClock(), createLogger('silent')];
    const monotonic_ms = () => performance.now();
    const directory = await openDirectory({ db, global, clock, monotonic_ms, logger });
    expect(await directory?.otherCellOfKey(hashKey('ept_live_sUnknown'))).toBeUndefined();
  });

  it('lists a cell that is down beside the others', async () => {
    const address = await migratedDatabase();
    await create('down', address);
    await withClient(api.stack.adminDatabaseUrl, (client) =>
      client.query(`drop database ${new URL(address).pathname.slice(1)} with (force)`),
    );
    const { code, text } = await run(['list']);
    expect(code).toBe(1);
    expect(text).toMatch(/^down +open .*unreachable/m);
    expect(text).toMatch(/^home +open +4 +\d{4} +[^ ]+ schema public$/m);
  });
});
