import { withClient } from '@florin/cli/database/client.ts';
import { testPostgresUrl } from '@florin/dev-env/config/env.ts';
import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkCells } from '../../src/features/cell-moves/check.ts';
import { lowerFence, raiseFence } from '../../src/features/cell-moves/sql/fence.ts';
import { stopMovedAtStart } from '../../src/features/cells/stop-moved.ts';
import { openCopySession } from '../../src/platform/database/wire/copy.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { useOwnStack } from '../support/api.ts';
import { makeCell, openOne, runCell, startCellServer } from '../support/cells.ts';
import { createClient, documentOf } from '../support/client.ts';
import { sealerOf } from '../support/instance-secrets.ts';
import { eventually, makeCapturedPayment, purchase } from '../support/make.ts';
import { countTriggers, endLeases, pausingDeps, rowCounts, runMove } from '../support/moves.ts';
import { restoreCommandAt } from '../support/restore-command.ts';

const api = useOwnStack();
const cleanup = new AsyncDisposableStack();
const RESTORED_TO = '2026-11-28T10:00:00Z';
const UNREACHABLE = 'postgres://nobody@127.0.0.1:1/none';
let merchant_id: string;
/** The database of the cell `away` now. */
let awayUrl: string;
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
  restoreCommandAt(() => restoredUrl, {
    FLORIN_GLOBAL_DATABASE_URL,
    FLORIN_DATA: api.stack.dataDir,
  });
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

async function moveTo(cell: string, deps: Parameters<typeof runMove>[2] = {}): Promise<void> {
  await using servers = new AsyncDisposableStack();
  await startCellServer(api.stack, awayUrl, { global_database_url }, servers);
  for (const url of [api.stack.databaseUrl, awayUrl]) {
    await using db = openOne(url);
    await eventually(
      () => db.query(`select 1 from installation_facts where name = 'vault'`, []),
      ({ length }) => length === 1,
    );
  }
  await runMove(api, { merchant_id, cell }, deps);
}

beforeAll(async () => {
  global_database_url = api.stack.databaseUrl;
  merchant_id = (await api.fixtures.getDemoMerchant()).id;
  await makeCapturedPayment(api.client);
  await makeCell(api, { name: 'home', address: global_database_url });
  await api.stack.restart('server');
  awayUrl = cleanup.use(await cloneDatabase()).url;
  await makeCell(api, { name: 'away', address: awayUrl });
  await moveTo('away');
  restoredUrl = await copyOf(awayUrl);
  await run('close', RESTORED_TO);
  expect(await open('--dry-run')).not.toContain('Would stop');
  await moveTo('home');
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

  it('keeps the triggers of a move that died, and not those of later moves', async () => {
    await using session = await openCopySession(restoredUrl);
    const triggersAfter = async (sql: string) => {
      await inRestored(sql);
      await raiseFence(session, [{ name: 'customers' }], 30_000);
      await lowerFence(session);
      return countTriggers(restoredUrl);
    };
    const [died, restored] = ['false', 'true'].map(
      (value) => `update stopped_merchants set by_restore = ${value}`,
    ) as [string, string];
    expect(await inRestored('select by_restore from stopped_merchants')).toEqual([
      { by_restore: 't' },
    ]);
    expect(await triggersAfter(died)).toBe(1);
    expect(await triggersAfter(restored)).toBe(0);
  });
});

/** Parts of a program for which the cell `away` is in this database. */
const partsWith = async (url: string) => ({
  global: api.fixtures.global,
  sealer: await sealerOf(api.stack.dataDir),
  open: (address: string) => openOne(address === awayUrl ? url : address),
});
const inHome = (sql: string) => api.fixtures.global.query(sql, [merchant_id]);
const letDirectoryName = (cell: string) =>
  inHome(
    `update directory_merchants set cell_id = (select id from cells where name = '${cell}') where merchant_id = $1`,
  );
const stopIn = async (url: string, state: string | undefined) => {
  await using db = openOne(url);
  await db.query('delete from stopped_merchants where merchant_id = $1', [merchant_id]);
  if (state !== undefined)
    await db.query(
      `insert into stopped_merchants (merchant_id, move_id, state, other_cell, since) values ($1, $1, $2, 'home', now())`,
      [merchant_id, state],
    );
};
const stopsInHome = () => inHome('select state from stopped_merchants where merchant_id = $1');

describe('a start in the cell of a merchant, while the directory is older than the move', () => {
  const STOPPED = 'merchants stopped that the directory places in other cells';
  const SERVED = 'merchants served that the directory places in cells without them';

  beforeAll(() => letDirectoryName('away'));
  afterAll(() => letDirectoryName('home'));
  afterEach(() => stopIn(api.stack.databaseUrl, undefined));

  it.each([
    ['lacks the merchant', () => awayUrl, undefined, SERVED, []],
    ['has stopped the merchant as moved', () => restoredUrl, 'moved', SERVED, []],
    ['serves the merchant', () => restoredUrl, undefined, STOPPED, [{ state: 'moved' }]],
    ['has a copy that arrives', () => restoredUrl, 'arriving', STOPPED, [{ state: 'moved' }]],
    ['does not answer', () => UNREACHABLE, undefined, STOPPED, [{ state: 'moved' }]],
  ])('the old cell %s', async (_name, urlOf, state, message, stops) => {
    if (urlOf() !== UNREACHABLE) await stopIn(urlOf(), state);
    const logged: [object, string][] = [];
    const logger = { error: (...line: [object, string]) => void logged.push(line) } as never;
    const parts = await partsWith(urlOf());
    await stopMovedAtStart({ ...parts, db: parts.global, clock: systemClock(), logger });
    expect(logged).toEqual([[{ count: 1 }, expect.stringContaining(message)]]);
    expect(await stopsInHome()).toEqual(stops);
  });
});

describe('florin cell check', () => {
  const check = async (url: string) => checkCells(await partsWith(url));
  const none = undefined;

  afterEach(async () => {
    await letDirectoryName('home');
    await inHome('delete from directory_moves where merchant_id = $1');
    for (const url of [api.stack.databaseUrl, restoredUrl, awayUrl]) await stopIn(url, none);
  });

  it.each([
    ['served by two cells', 'home', none, () => restoredUrl, none, 'compare away, home, and let'],
    ['left in a restored cell', 'home', none, () => restoredUrl, 'moved', 'compare away with home'],
    ['moved after the time of the directory', 'away', none, () => awayUrl, none, 'name home, not'],
    ['stopped by the start of the new cell', 'away', 'moved', () => awayUrl, none, 'then end the'],
    [
      'fenced by a move that is lost',
      'home',
      'fenced',
      () => awayUrl,
      none,
      'compare home, and end',
    ],
  ])('lists a merchant %s', async (_name, named, home, urlOf, away, next_step) => {
    await letDirectoryName(named);
    await stopIn(api.stack.databaseUrl, home);
    await stopIn(urlOf(), away);
    const { text, is_ok } = await check(urlOf());
    expect(is_ok).toBe(false);
    expect(text).toMatch(/^1 merchants /);
    expect(text).toContain(`${merchant_id}: `);
    expect(text).toContain(next_step);
  });

  it('names cells that do not answer, and says nothing about their merchants', async () => {
    await letDirectoryName('away');
    const { text, is_ok } = await check(UNREACHABLE);
    expect([is_ok, text]).toEqual([false, expect.stringMatching(/^The cell away is unreachable/)]);
    expect(text).not.toContain(merchant_id);
  });

  it('exits with 1 for a move whose command died, and with 0 while a command works on it', async () => {
    const runCheck = () => runCell(api.stack, ['check']);
    const OK = { code: 0, text: 'All merchants are in the cell of the directory.\n' };
    expect(await runCheck()).toEqual(OK);
    await inHome(
      `insert into directory_moves (merchant_id, id, from_cell_id, to_cell_id, step, accounts, lease_id, leased_until, created_at, updated_at)
       select $1, $1, h.id, a.id, 'stop', '{}', $1, now(), now(), now() from cells h, cells a
       where h.name = 'home' and a.name = 'away'`,
    );
    const { code, text } = await runCheck();
    expect(code).toBe(1);
    expect(text).toContain(`${merchant_id}: repeat "cell move ${merchant_id} away"`);
    await inHome(
      `update directory_moves set leased_until = now() + interval '1 minute' where merchant_id = $1`,
    );
    expect(await runCheck()).toEqual(OK);
  });
});

describe('a move whose new cell was restored to an earlier stay of the merchant', () => {
  const connectRestored = (url: string) => openCopySession(url === awayUrl ? restoredUrl : url);
  const rowsAtHome = () => rowCounts(api.stack.databaseUrl, merchant_id);

  it('deletes no rows in the old cell until the new cell has the copy', async () => {
    await makeCapturedPayment(api.client);
    const { paused, resume, connect } = pausingDeps(api, /^delete from settlement_entries/);
    const died = expect(moveTo('away', { connect })).rejects.toThrow();
    await Promise.race([paused, died]);
    await endLeases(api);
    const before = await rowsAtHome();
    const input = { merchant_id, cell: 'away' };
    await expect(runMove(api, input, { connect: connectRestored })).rejects.toThrow(
      'the cell away has lost the copy of the merchant, so the rows in home stay',
    );
    expect(await rowsAtHome()).toEqual(before);

    await runMove(api, input);
    resume();
    await died;
    expect(await rowsAtHome()).toEqual({});
    expect(await inHome('select move_id from arrivals where merchant_id = $1')).toEqual([]);
  });
});
