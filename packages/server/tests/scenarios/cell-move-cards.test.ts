import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vaultCards } from '@florin/cli/cells/vault-cards.ts';
import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { createVault } from '@florin/vault/app.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { openOne } from '../support/cells.ts';
import { chooseRouterPlaces } from '../support/cells-behind-router.ts';
import type { Relations, ResourceObject } from '../support/client.ts';
import {
  eventually,
  makeCustomer,
  makeDemand,
  makeListEntry,
  makeMethod,
  makeParties,
  waitForOutcome,
} from '../support/make.ts';
import type { DemoMerchant } from '../support/merchants.ts';
import { cellOf, runMove, startTwoCells } from '../support/moves.ts';

const places = await chooseRouterPlaces();
const api = useOwnStack({ config: { ...places.addresses, port: places.home } });
const cleanup = new AsyncDisposableStack();
let merchant_id: string;
let directory: string;
/** Sockets of operators, of the vaults of both cells. */
let sockets: Record<'home' | 'away', string>;
let parties: Relations;
/** Has no stored card, and blocks one. */
let blocking: DemoMerchant;

const file = (name: string): string => join(directory, name);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'florin-cards-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true }));
  sockets = { home: file('home.sock'), away: file('away.sock') };
  const clone = cleanup.use(await cloneDatabase());
  await using db = openOne(clone.url);
  // Clones of the tests have the id of their template.
  await db.query('update vault.identity set id = gen_random_uuid()', []);
  const addresses = {
    socketPath: file('vault.sock'),
    adminSocketPath: sockets.away,
    databaseUrl: clone.url,
    dataDir: file('vault'),
    egress: [api.stack.simulatorUrl],
    log_level: 'silent',
  };
  cleanup.use(await createVault(addresses));
  blocking = await api.fixtures.makeDemoMerchant(api.stack.baseUrl);
  await startTwoCells(api, places, cleanup, {
    vaults: { addresses: [{ kind: 'socket', path: addresses.socketPath }] },
  });
  merchant_id = (await api.fixtures.getDemoMerchant()).id;
});
afterAll(() => cleanup.disposeAsync());

/** A further process of the vault of `home`, which sends cards to the vault of this digest. */
const openHomeVault = async (digest: string): Promise<void> => {
  cleanup.use(
    await createVault({
      socketPath: file('home-vault.sock'),
      adminSocketPath: sockets.home,
      databaseUrl: api.stack.vaultDatabaseUrl,
      dataDir: join(api.stack.dataDir, 'vault'),
      egress: [],
      sends_cards_to: [digest],
      log_level: 'silent',
    }),
  );
};
let homeVault: Promise<void> | undefined;

let transfers = 0;
/** Runs the three commands. The first one prints the digest for the vault of `home`. */
async function transfer(owner = merchant_id): Promise<string> {
  transfers += 1;
  const [ticket, cards, receipt] = ['ticket', 'cards', 'receipt'].map((name) =>
    file(`${name}-${transfers}`),
  ) as [string, string, string];
  const sentences: string[] = [];
  const run = (cell: 'home' | 'away', ...words: string[]) =>
    vaultCards(sockets[cell], { words, since: undefined }, (text) => void sentences.push(text));
  await run('away', 'receive', owner, ticket);
  homeVault ??= openHomeVault(/TO=([0-9a-f]{64})/.exec(sentences.join(' '))?.[1] ?? '');
  await homeVault;
  await run('home', 'send', ticket, cards);
  await run('away', 'import', cards, receipt);
  return receipt;
}

const charge = async (attributes: object = {}): Promise<string> => {
  const { id } = await makeDemand(api.client, { confirmed: true, ...attributes }, parties);
  return (await waitForOutcome(api.client, id)).attributes.status;
};

it('a merchant whose first card is stored while the move begins stays', async () => {
  const { global } = api.fixtures;
  const storingFirst: typeof global = {
    ...global,
    async query(sql, ...others) {
      if (sql.startsWith('insert into directory_moves')) parties = await makeParties(api.client);
      return global.query(sql, ...others);
    },
  };
  const moved = runMove(
    api,
    { merchant_id, cell: 'away' },
    { global: storingFirst, settle_ms: 200 },
  );
  await expect(moved).rejects.toThrow('1 stored cards that the target lacks');
  expect(await cellOf(api, merchant_id)).toBe('home');
  // Processes know the end of a stop after half a second.
  await new Promise((resolve) => setTimeout(resolve, 700));
});

it('a merchant with cards moves with them, also with those that came after the first transfer', async () => {
  expect(await charge()).toBe('succeeded');
  const input = { merchant_id, cell: 'away' };
  await expect(runMove(api, input)).rejects.toThrow('give --cards RECEIPT');
  const cards = await transfer();
  const late: ResourceObject = await makeMethod(api.client, 'mastercard', {
    customer: parties.payer as ResourceObject,
  });
  await expect(runMove(api, { ...input, cards }, { settle_ms: 200 })).rejects.toThrow(
    '1 stored cards that the receipt lacks',
  );
  expect(await cellOf(api, merchant_id)).toBe('home');
  // Processes know the end of a stop after half a second.
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(await charge()).toBe('succeeded');

  await runMove(api, { ...input, cards: await transfer() });
  expect(await cellOf(api, merchant_id)).toBe('away');
  await eventually(
    () => api.client.get('/v2/merchants'),
    ({ status }) => status === 200,
  );
  expect(await charge()).toBe('succeeded');
  parties = { ...parties, payment_method: late };
  expect(await charge()).toBe('succeeded');
});

it('a merchant without stored cards moves with the fingerprints of blocked ones', async () => {
  const client = api.as(blocking.credentials.sandbox.secret_key);
  const payer = await makeCustomer(client);
  const payment_method = await makeMethod(client, 'visa', { customer: payer });
  await makeListEntry(
    client,
    { list: 'block', kind: 'card', value: undefined },
    { payment_method },
  );
  await client.send('PATCH', `/v2/payment_methods/${payment_method.id}/discard`);
  const hurry = `update discarded_cards set due_at = now() where merchant_id = $1`;
  await api.fixtures.db.query(hurry, [blocking.id]);
  await using vault = openOne(api.stack.vaultDatabaseUrl);
  await eventually(
    () => vault.query('select 1 from vault.cards where merchant_id = $1', [blocking.id]),
    ({ length }) => length === 0,
  );

  const input = { merchant_id: blocking.id, cell: 'away' };
  await expect(runMove(api, input)).rejects.toThrow('or lists that name cards, and the cells');
  const cards = await transfer(blocking.id);
  const text = await readFile(cards, 'utf8');
  const head = text.slice(0, text.indexOf('\n') + 1);
  await writeFile(cards, head);
  await expect(runMove(api, { ...input, cards }, { settle_ms: 200 })).rejects.toThrow(
    '1 entries of lists that name cards that the receipt lacks',
  );
  await new Promise((resolve) => setTimeout(resolve, 700));
  await writeFile(cards, text);
  await runMove(api, { ...input, cards });
  await eventually(
    () => client.get('/v2/merchants'),
    ({ status }) => status === 200,
  );
  const { id } = await makeDemand(client, { confirmed: true }, await makeParties(client));
  const { attributes } = await waitForOutcome(client, id);
  expect([attributes.status, attributes.failure_reason]).toEqual(['failed', 'blocked']);
});
