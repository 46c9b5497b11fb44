import { withClient } from '@florin/cli/database/client.ts';
import { testPostgresUrl } from '@florin/dev-env/config/env.ts';
import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { makeCell, openOne, startCellServer } from '../support/cells.ts';
import { createClient, documentOf } from '../support/client.ts';
import { eventually, makeCapturedPayment, purchase } from '../support/make.ts';
import { runMove } from '../support/moves.ts';
import { restoreCommandAt } from '../support/restore-command.ts';

const api = useOwnStack();
const cleanup = new AsyncDisposableStack();
const RESTORED_TO = '2026-11-28T10:00:00Z';
const UNREACHABLE = 'postgres://nobody@127.0.0.1:1/none';
let merchant_id: string;
/** The database of the cell `away` from the time when it had the merchant. */
let restoredUrl: string;
let global_database_url: string;

const inRestored = async (sql: string) => {
  await using db = openOne(restoredUrl);
  return await db.query(sql, []);
};
const stopsInRestored = () =>
  inRestored('select merchant_id, state, other_cell from stopped_merchants');

const runAt = (FLORIN_GLOBAL_DATABASE_URL: string) =>
  restoreCommandAt(() => restoredUrl, { FLORIN_GLOBAL_DATABASE_URL });
const run = (...words: string[]) => runAt(global_database_url)(...words);
const open = (...words: string[]) => run('open', '--without-learning', ...words);

/** Copies a database that nobody is connected to. */
async function copyOf(address: string): Promise<string> {
  const [url, source] = [new URL(address), new URL(address).pathname.slice(1)];
  const copy = `${source.slice(0, 40)}_restored`;
  const admin = new URL(testPostgresUrl());
  admin.pathname = '/postgres';
  const query = (sql: string) => withClient(admin.href, (client) => client.query(sql));
  await query(`create database ${copy} template ${source} owner florin_owner`);
  cleanup.defer(async () => void (await query(`drop database ${copy} with (force)`)));
  url.pathname = `/${copy}`;
  return url.href;
}

async function moveTo(cell: string, awayUrl: string): Promise<void> {
  await using servers = new AsyncDisposableStack();
  await startCellServer(api.stack, awayUrl, { global_database_url }, servers);
  for (const url of [api.stack.databaseUrl, awayUrl]) {
    await using db = openOne(url);
    await eventually(
      () => db.query(`select 1 from installation_facts where name = 'vault'`, []),
      ({ length }) => length === 1,
    );
  }
  await runMove(api, { merchant_id, cell });
}

beforeAll(async () => {
  global_database_url = api.stack.databaseUrl;
  merchant_id = (await api.fixtures.getDemoMerchant()).id;
  await makeCapturedPayment(api.client);
  await makeCell(api, { name: 'home', address: global_database_url });
  await api.stack.restart('server');
  const away = cleanup.use(await cloneDatabase()).url;
  await makeCell(api, { name: 'away', address: away });
  await moveTo('away', away);
  restoredUrl = await copyOf(away);
  await run('close', RESTORED_TO);
  expect(await open('--dry-run')).not.toContain('Would stop');
  await moveTo('home', away);
});
afterAll(() => cleanup.disposeAsync());

describe('a cell that was restored to a time before a merchant left it', () => {
  it('stays closed while the directory of cells cannot be read', async () => {
    const output = await runAt(UNREACHABLE)('open', '--without-learning');
    expect(output).toMatch(/^Nothing was changed: .*the directory of cells cannot be read/);
    expect(await run('status')).toContain('is closed');
  });

  it('is opened without the merchant, who is stopped first', async () => {
    expect(await open('--dry-run')).toContain('Would stop 1 merchants that other cells have.');
    expect(await stopsInRestored()).toEqual([]);
    expect(await open()).toContain('Stopped 1 merchants that other cells have.');
    expect(await stopsInRestored()).toEqual([{ merchant_id, state: 'moved', other_cell: 'home' }]);
  });

  it('names the other cell from its start, also if nobody closed it', async () => {
    await inRestored('delete from stopped_merchants');
    await using servers = new AsyncDisposableStack();
    const { url } = await startCellServer(api.stack, restoredUrl, { global_database_url }, servers);
    const client = createClient(
      `http://127.0.0.1:${new URL(url).port}`,
      api.stack.credentials.sandbox.secret_key,
    );
    const { status, headers } = await client.send(
      'POST',
      '/v2/payment_demands',
      documentOf('payment_demands', purchase),
    );
    expect([status, headers.get('florin-cell')]).toEqual([503, 'home']);
    expect(await stopsInRestored()).toMatchObject([{ state: 'moved' }]);
  });

  it('turns a stop of a move that had only begun into one for good', async () => {
    await inRestored(`update stopped_merchants set state = 'fenced'`);
    await run('close', RESTORED_TO);
    expect(await open()).toContain('open');
    expect(await stopsInRestored()).toMatchObject([{ state: 'moved' }]);
  });
});
