import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeMerchant } from '../../src/features/cell-moves/remove.ts';
import { lowerFence, raiseFence } from '../../src/features/cell-moves/sql/fence.ts';
import { readMovedTables } from '../../src/features/cell-moves/sql/tables.ts';
import type { MovedTable } from '../../src/features/cell-moves/tables.ts';
import { deleteStop, storeStop } from '../../src/features/cells/sql/stops.ts';
import { type CopySession, openCopySession } from '../../src/platform/database/wire/copy.ts';
import { uuidv7 } from '../../src/platform/ids.ts';
import { useOwnStack } from '../support/api.ts';
import { openOne } from '../support/cells.ts';
import { type AwayCell, chooseRouterPlaces } from '../support/cells-behind-router.ts';
import { type Client, documentOf } from '../support/client.ts';
import { eventually, makeCapturedPayment } from '../support/make.ts';
import {
  cellOf,
  countTriggers,
  endLeases,
  ledgerDifferences,
  loadWhile,
  pausingDeps,
  rowCounts,
  runMove,
  startTwoCells,
} from '../support/moves.ts';

/** Time in which processes know of a stop, with a margin. */
const KNOWN_MS = 700;
/** Processes read the stops every 500 ms, and answer 503 until then. */
const SOON = { timeout: 10_000 };

const places = await chooseRouterPlaces();
const api = useOwnStack({ config: { ...places.addresses, port: places.home } });
const cleanup = new AsyncDisposableStack();
let away: AwayCell;
let merchant_id: string;
/** Another merchant of the cell, and its client. */
let other: { readonly id: string; readonly client: Client };

beforeAll(async () => {
  const { credentials, id } = await api.fixtures.makeDemoMerchant(places.addresses.public_url);
  other = { id, client: api.as(credentials.sandbox.secret_key) };
  away = await startTwoCells(api, places, cleanup);
  merchant_id = (await api.fixtures.getDemoMerchant()).id;
  await makeCapturedPayment(api.client);
});
afterAll(() => cleanup.disposeAsync());

const urlOf = (cell: string): string => (cell === 'home' ? api.stack.databaseUrl : away.address);
const move = (input: Partial<Parameters<typeof runMove>[1]> = {}, deps = {}) =>
  runMove(api, { merchant_id, cell: 'away', ...input }, { known_ms: KNOWN_MS, ...deps });

async function expectIn(cell: string): Promise<void> {
  const left = cell === 'home' ? 'away' : 'home';
  expect([await cellOf(api, merchant_id), await rowCounts(urlOf(left), merchant_id)]).toEqual([
    cell,
    {},
  ]);
  for (const each of ['home', 'away'])
    expect([each, await ledgerDifferences(urlOf(each)), await countTriggers(urlOf(each))]).toEqual([
      each,
      [],
      0,
    ]);
  const customer = documentOf('customers', { email: 'a@example.com' });
  const write = () => api.client.send('POST', '/v2/customers', customer);
  await expect.poll(async () => (await write()).status, SOON).toBe(201);
  expect((await makeCapturedPayment(api.client)).attributes.status).toBe('succeeded');
}

describe('two merchants of a cell that move at once', () => {
  it('lose no write', async () => {
    const movers = [
      { id: merchant_id, client: api.client },
      { id: other.id, client: other.client },
    ];
    const loads = await Promise.all(
      movers.map(({ id, client }) => loadWhile(client, () => move({ merchant_id: id }), 2)),
    );
    await using db = openOne(away.address);
    for (const [at, { id }] of movers.entries()) {
      const references = [...(loads[at]?.references ?? [])].sort();
      const stored = await db.query(
        `select purchase_reference from payment_demands where merchant_id = $1 and purchase_reference = any ($2)`,
        [id, references],
      );
      expect(stored.map((row) => row.purchase_reference).sort()).toEqual(references);
      expect(await rowCounts(urlOf('home'), id)).toEqual({});
    }
    await expectIn('away');
    await Promise.all(movers.map(({ id }) => move({ merchant_id: id, cell: 'home' })));
    await expectIn('home');
  });
});

describe('the triggers of a cell', () => {
  let sessions: [CopySession, CopySession];
  let tables: readonly MovedTable[];

  beforeAll(async () => {
    const connect = async () => cleanup.use(await openCopySession(urlOf('home')));
    sessions = [await connect(), await connect()];
    tables = await readMovedTables(sessions[0]);
  });
  const triggers = () => countTriggers(urlOf('home'));

  it('stay until the last move that needs them ends, also where one was lowering them', async () => {
    const [first, second] = sessions;
    await raiseFence(first, tables, 30_000);
    await using writer = await openCopySession(urlOf('home'));
    const busy = [...tables.map(({ name }) => name)].sort().at(0) as string;
    await writer.query(`begin; lock table ${busy} in row exclusive mode`, []);
    const lowering = lowerFence(first);
    await eventually(triggers, (count) => count < tables.length);
    await raiseFence(second, tables, 30_000);
    await writer.query('commit', []);
    expect(await lowering).toBe(true);
    expect(await triggers()).toBe(tables.length);
    await lowerFence(second);
    expect(await triggers()).toBe(0);
  });

  it('are gone when moves have ended at the same time', async () => {
    for (let round = 1; round <= 5; round++) {
      for (const session of sessions) await raiseFence(session, tables, 30_000);
      const [first, second] = sessions;
      const lowered = lowerFence(first);
      await second.query('select 1', []);
      expect([await lowerFence(second), await lowered]).toEqual([true, true]);
      expect(await triggers()).toBe(0);
    }
  });

  it('stay for a command that died while its merchant was fenced', async () => {
    const [first, second] = sessions;
    await raiseFence(first, tables, 30_000);
    await first.query(`insert into stopped_merchants values ($1, $1, 'fenced', 'away', now())`, [
      other.id,
    ]);
    await lowerFence(second);
    await lowerFence(first);
    expect(await triggers()).toBe(tables.length);
    await first.query('delete from stopped_merchants where merchant_id = $1', [other.id]);
    await lowerFence(first);
    expect(await triggers()).toBe(0);
  });
});

describe('a command that stands still until its lease has ended', () => {
  it.each<[string, RegExp, readonly Parameters<typeof move>[0][], string]>([
    ['before it stops the merchant', /^insert into stopped_merchants/, [{}], 'away'],
    ['before it commits its copy', /^commit$/, [{}], 'away'],
    ['before it commits its copy, and is cancelled', /^commit$/, [{ cancel: true }], 'home'],
    [
      'while it deletes rows, and the merchant moves back',
      /^delete from .*ctid/,
      [{}, { cell: 'home' }],
      'home',
    ],
  ])('%s, changes nothing when it wakes', async (_, statement, later, cell) => {
    const { paused, resume, connect } = pausingDeps(api, statement);
    const stopped = expect(move({}, { connect })).rejects.toThrow();
    await Promise.race([paused, stopped]);
    await endLeases(api);
    for (const input of later) await move(input);
    await expectIn(cell);
    const payments = async () => (await rowCounts(urlOf(cell), merchant_id)).payment_demands;
    const before = await payments();
    resume();
    await stopped;
    expect(await payments()).toBe(before);
    await expectIn(cell);
    if (cell === 'away') await move({ cell: 'home' });
  });
});

it('a command that stands still before it claims the move takes over no move to another cell', async () => {
  const { paused, resume, ...deps } = pausingDeps(api, /insert into directory_moves/);
  const refused = expect(move({}, deps)).rejects.toThrow('another command moves the merchant');
  await Promise.race([paused, refused]);
  const { global } = api.fixtures;
  const third = uuidv7(0);
  await global.query(
    `insert into cells select $1, 'third', address, state, created_at, updated_at from cells where name = 'away'`,
    [third],
  );
  await global.query(
    `insert into directory_moves select merchant_id, $2, cell_id, $2, 'stop', '{}', $2, now(), now(), now()
     from directory_merchants where merchant_id = $1`,
    [merchant_id, third],
  );
  resume();
  await refused;
  const moves = await global.query('delete from directory_moves returning to_cell_id', []);
  expect(moves).toEqual([{ to_cell_id: third }]);
  await global.query('delete from cells where id = $1', [third]);
  await expectIn('home');
});

it('a cancellation that comes while the move ends changes nothing, and names the cell', async () => {
  const leaving = pausingDeps(api, /^begin isolation level/);
  const moved = move({}, { connect: leaving.connect });
  await leaving.paused;
  const { paused, resume, ...deps } = pausingDeps(api, /(insert into|update) directory_moves/);
  const refused = expect(move({ cancel: true }, deps)).rejects.toThrow(
    'the move has ended meanwhile: the directory names the cell away',
  );
  await Promise.race([paused, refused]);
  leaving.resume();
  await moved;
  resume();
  await refused;
  expect(await api.fixtures.global.query('select * from directory_moves', [])).toEqual([]);
  await expectIn('away');
  await move({ cell: 'home' });
});

it('a cancellation says that triggers stay while a table is busy', async () => {
  const { paused, resume, connect } = pausingDeps(api, /^begin isolation level/);
  const cancelled = expect(move({}, { connect })).rejects.toThrow();
  await paused;
  await endLeases(api);
  await using writer = await openCopySession(urlOf('home'));
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const lower = pausingDeps(api, /^select c.relname as name from pg_trigger/);
  const cancelling = move({ cancel: true }, { connect: lower.connect, print, settle_ms: 300 });
  await lower.paused;
  await writer.query('begin; lock table customers in row exclusive mode', []);
  lower.resume();
  await cancelling;
  await writer.query('commit', []);
  expect(lines).toEqual([
    expect.stringContaining('Triggers of the move stay'),
    'The move has ended. The cell home serves the merchant.',
  ]);
  resume();
  await cancelled;
  await using source = await openCopySession(urlOf('home'));
  await lowerFence(source);
  await expectIn('home');
});

it('a repeated command deletes no rows after the target has lost the merchant', async () => {
  const { paused, resume, connect } = pausingDeps(api, /^delete from settlement_entries/);
  const ended = expect(move({}, { connect })).rejects.toThrow();
  await Promise.race([paused, ended]);
  await endLeases(api);
  await using target = await openCopySession(urlOf('away'));
  const tables = await readMovedTables(target);
  const lost = { merchant_id, move_id: merchant_id, state: 'moved', other_cell: 'home' } as const;
  await storeStop(target, { ...lost, at: new Date().toISOString() });
  await removeMerchant(target, { merchant_id, tables, print: () => {} });
  await deleteStop(target, lost, ['moved']);
  const before = await rowCounts(urlOf('home'), merchant_id);
  await expect(move()).rejects.toThrow('has lost the copy of the merchant');
  resume();
  await ended;
  expect(await rowCounts(urlOf('home'), merchant_id)).toEqual(before);

  await api.fixtures.global.query(
    `with ended as (delete from directory_moves returning merchant_id, from_cell_id)
     update directory_merchants m set cell_id = e.from_cell_id from ended e where m.merchant_id = e.merchant_id`,
    [],
  );
  await using source = await openCopySession(urlOf('home'));
  await source.query('delete from stopped_merchants where merchant_id = $1', [merchant_id]);
  await lowerFence(source);
  await expectIn('home');
});

describe('a transaction of another merchant that does not end', () => {
  const write = 'update customers set name = name where merchant_id = $1';
  const stops = () => writer.query(`select * from stopped_merchants where state <> 'moved'`, []);
  let writer: CopySession;

  beforeAll(async () => {
    writer = cleanup.use(await openCopySession(urlOf('home')));
  });

  it('lets a move give up before the stop, and is named', async () => {
    await writer.query('begin', []);
    await writer.query(write, [other.id]);
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    await expect(move({}, { print, settle_ms: 300 })).rejects.toThrow(
      /customers is busy:\s+customers: process \d+ \(idle in transaction.*application florin move/,
    );
    expect(lines).toEqual([expect.stringContaining('serves the merchant as before')]);
    await writer.query('commit', []);
    await expectIn('home');
  });

  it('ends the stop in time, and nobody waits behind it', async () => {
    const print = async (line: string) => {
      if (!line.includes('takes no writes')) return;
      await writer.query('begin', []);
      await writer.query(write, [other.id]);
    };
    const moved = expect(move({}, { print, settle_ms: 2_000 })).rejects.toThrow(
      /did not end in time:\s+customers: process \d+/,
    );
    await eventually(stops, ([stop]) => stop?.state === 'fenced');
    await using neighbour = openOne(urlOf('home'));
    await neighbour.query(`set lock_timeout = 50`, []);
    await neighbour.query('update customers set name = name where merchant_id = $1 and false', [
      other.id,
    ]);
    await eventually(stops, ({ length }) => length === 0);
    await writer.query('commit', []);
    await moved;
    await expectIn('home');
  });
});
