import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBlockers } from '../../src/features/cell-moves/sql/blockers.ts';
import { claimMove } from '../../src/features/cell-moves/sql/directory.ts';
import { awaitWriters, lowerFence, raiseFence } from '../../src/features/cell-moves/sql/fence.ts';
import { readMovedTables } from '../../src/features/cell-moves/sql/tables.ts';
import { compareLines } from '../../src/features/settlement/decide.ts';
import { linesToCompare, readUnsettled } from '../../src/features/settlement/sql.ts';
import { openCopySession } from '../../src/platform/database/wire/copy.ts';
import { uuidv7 } from '../../src/platform/ids.ts';
import { useOwnStack } from '../support/api.ts';
import { signIn } from '../support/browser.ts';
import { openOne, runCell } from '../support/cells.ts';
import { type AwayCell, chooseRouterPlaces } from '../support/cells-behind-router.ts';
import { documentOf, UNKNOWN_ID } from '../support/client.ts';
import { browse, pathOf } from '../support/link-visit.ts';
import {
  eventually,
  makeCapturedPayment,
  makeDemand,
  makeLink,
  makeParties,
  purchase,
  waitForOutcome,
} from '../support/make.ts';
import { cellOf, rowCounts, runMove, startTwoCells } from '../support/moves.ts';

const places = await chooseRouterPlaces();
const api = useOwnStack({ config: { ...places.addresses, port: places.home } });
const cleanup = new AsyncDisposableStack();
let away: AwayCell;
let merchant_id: string;

beforeAll(async () => {
  away = await startTwoCells(api, places, cleanup);
  merchant_id = (await api.fixtures.getDemoMerchant()).id;
  await makeCapturedPayment(api.client);
});
afterAll(() => cleanup.disposeAsync());

const move = (input: Partial<Parameters<typeof runMove>[1]> = {}, deps = {}) =>
  runMove(api, { merchant_id, cell: 'away', ...input }, deps);

/** Runs a statement in a cell. */
async function inCell(url: string, sql: string, values: unknown[] = []) {
  await using db = openOne(url);
  return await db.query(sql, values);
}
const inHome = (sql: string, values: unknown[] = []) => inCell(api.stack.databaseUrl, sql, values);
const inAway = (sql: string, values: unknown[] = []) => inCell(away.address, sql, values);

async function expectServedAtHome(): Promise<void> {
  expect([await cellOf(api, merchant_id), await rowCounts(away.address, merchant_id)]).toEqual([
    'home',
    {},
  ]);
  expect(await inHome('select * from stopped_merchants')).toEqual([]);
  const body = documentOf('payment_demands', purchase);
  const { status } = await eventually(
    () => api.client.send('POST', '/v2/payment_demands', body),
    (answer) => answer.status !== 503,
  );
  expect(status).toBe(201);
}

describe('a move is refused before anything stops', () => {
  it.each<[string, Partial<Parameters<typeof runMove>[1]>, string]>([
    ['an unknown merchant', { merchant_id: UNKNOWN_ID }, 'no such merchant'],
    ['an unknown cell', { cell: 'nowhere' }, 'no cell nowhere'],
    ['an account that nothing names', { accounts: { [UNKNOWN_ID]: UNKNOWN_ID } }, 'leave it out'],
  ])('for %s', async (_, input, reason) => {
    await expect(move(input)).rejects.toThrow(reason);
    await expectServedAtHome();
  });

  it('while the target drains', async () => {
    await runCell(api.stack, ['drain', 'away']);
    await expect(move()).rejects.toThrow('is draining');
    await runCell(api.stack, ['open', 'away']);
  });

  it('with stored cards in another vault, also by a dry run', async () => {
    const [fact] = await inAway(`select value from installation_facts where name = 'vault'`);
    await inAway(`update installation_facts set value = 'another' where name = 'vault'`);
    await expect(move()).rejects.toThrow('different vaults');
    await expect(move({ dry_run: true })).rejects.toThrow('different vaults');
    await inAway(`update installation_facts set value = $1 where name = 'vault'`, [fact?.value]);
  });

  it('with another simulated network, or columns of another release', async () => {
    const [fact] = await inAway(`select value from installation_facts where name = 'card_network'`);
    await inAway(`update installation_facts set value = 'another' where name = 'card_network'`);
    await inAway('alter table customers add column later text');
    await expect(move()).rejects.toThrow(/customers has other columns[\s\S]*another one/);
    await inAway('alter table customers drop column later');
    await inAway(`update installation_facts set value = $1 where name = 'card_network'`, [
      fact?.value,
    ]);
  });

  it.each([
    [
      'knows a migration more',
      `insert into kysely_migration values ('9999-later', '')`,
      'does not know',
    ],
    [
      'lacks a migration',
      `delete from kysely_migration where name like '0185%'`,
      'lacks the migration',
    ],
  ])('where a cell of another release %s', async (_, sql, reason) => {
    const applied = await inAway('select * from kysely_migration');
    await inAway(sql);
    await expect(move()).rejects.toThrow(reason);
    await expect(move({ dry_run: true })).rejects.toThrow(reason);
    await inAway(`delete from kysely_migration`);
    await inAway(
      `insert into kysely_migration select * from json_populate_recordset(null::kysely_migration, $1)`,
      [JSON.stringify(applied)],
    );
    await expectServedAtHome();
  });

  it('while another command moves the merchant', async () => {
    const cells = await api.fixtures.global.query('select id from cells order by name', []);
    await api.fixtures.global.query(
      `insert into directory_moves values ($1, $2, $3, $4, 'stop', '{}', $2, now() + interval '1 minute', now(), now())`,
      [merchant_id, uuidv7(0), cells[1]?.id, cells[0]?.id],
    );
    await expect(move()).rejects.toThrow('another command moves the merchant');
    await expect(move({ cell: 'home' })).rejects.toThrow('moves to away');
    await api.fixtures.global.query('delete from directory_moves', []);
    await expectServedAtHome();
  });
});

it.each([
  ['takes the accounts of the newest command before the copy', 'stop', '{"new": "account"}'],
  ['keeps its accounts from the copy on', 'copy', '{}'],
])('a repeated command %s', async (_, step, accounts) => {
  const { global } = api.fixtures;
  const cells = await global.query('select id from cells order by name', []);
  const [to_cell_id, from_cell_id] = cells.map(({ id }) => id as string) as [string, string];
  const id = uuidv7(0);
  await global.query(
    `insert into directory_moves values ($1, $2, $3, $4, $5, '{}', $2, now(), now(), now())`,
    [merchant_id, id, from_cell_id, to_cell_id, step],
  );
  const claim = { merchant_id, id, lease_id: id, from_cell_id, to_cell_id };
  const row = await claimMove(global, { ...claim, accounts: '{"new": "account"}' });
  expect(row?.accounts).toBe(accounts);
  await global.query('delete from directory_moves', []);
});

describe('a move that does not get far', () => {
  it('waits for messages in flight, then serves the merchant again and tells what to wait for', async () => {
    await inHome('alter table attempts disable trigger attempts_transition');
    await inHome(
      `update attempts set status = 'unknown', due_at = '2099-01-01' where merchant_id = $1`,
      [merchant_id],
    );
    await expect(move({}, { settle_ms: 300 })).rejects.toThrow(
      /served again[\s\S]*messages to processors without an outcome/,
    );
    await inHome(`update attempts set status = 'approved', due_at = null where merchant_id = $1`, [
      merchant_id,
    ]);
    await inHome('alter table attempts enable trigger attempts_transition');
    await expectServedAtHome();
  });

  it.each([
    ['waits for emails that are sent again', 250, 1],
    ['does not wait for emails whose next try is later', 60, 0],
  ])('%s', async (_, due_s, count) => {
    await inHome('alter table letters disable trigger user');
    await inHome(
      `update letters set status = 'pending', tries_count = 1, updated_at = now(), due_at = now() + interval '${due_s} seconds'
       where id = (select id from letters where merchant_id = $1 limit 1)`,
      [merchant_id],
    );
    await using db = openOne(api.stack.databaseUrl);
    const emails = (await findBlockers(db, merchant_id)).filter((text) => text.includes('emails'));
    expect(emails).toHaveLength(count);
    await inHome(`update letters set status = 'kept', due_at = null where status = 'pending'`);
    await inHome('alter table letters enable trigger user');
  });

  it('copies nothing where the copy fails, and serves the merchant again', async () => {
    await inAway('alter table customers add constraint customers_refused check (email is null)');
    await expect(move()).rejects.toThrow('customers_refused');
    await inAway('alter table customers drop constraint customers_refused');
    await expectServedAtHome();
    expect(await inHome(`select 1 from pg_trigger where tgname = 'a_stopped_merchant'`)).toEqual(
      [],
    );
  });

  it('copies nothing where the ledger of the copy is not right', async () => {
    const [balance] = await inHome(
      `update balances set owed_cents = owed_cents + 1 where merchant_id = $1 returning id`,
      [merchant_id],
    );
    expect(balance).toBeDefined();
    await expect(move()).rejects.toThrow('ledger of the copy is not right');
    await inHome(`update balances set owed_cents = owed_cents - 1 where merchant_id = $1`, [
      merchant_id,
    ]);
    await expectServedAtHome();
  });
});

/** Fences the merchant. A transaction that began to write before ends first. */
async function runFenced(work: () => Promise<void>): Promise<void> {
  await using session = await openCopySession(api.stack.databaseUrl);
  await using writer = await openCopySession(api.stack.databaseUrl);
  const tables = await readMovedTables(session);
  await raiseFence(session, tables, 30_000);
  await writer.query('begin', []);
  await writer.query(`update customers set name = 'Early' where merchant_id = $1`, [merchant_id]);
  await session.query(`insert into stopped_merchants values ($1, $2, 'fenced', 'away', now())`, [
    merchant_id,
    uuidv7(0),
  ]);
  let hasWaited = false;
  const waited = awaitWriters(session, tables, performance.now() + 30_000).then(() => {
    hasWaited = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(hasWaited).toBe(false);
  await writer.query('commit', []);
  await waited;
  await work();
  await session.query('delete from stopped_merchants', []);
  expect(await lowerFence(session)).toBe(true);
}

describe('a stopped merchant', () => {
  const stopAs = (state: string) =>
    inHome(
      `insert into stopped_merchants values ($1, $2, $3, 'away', now())
       on conflict (merchant_id) do update set state = excluded.state`,
      [merchant_id, uuidv7(0), state],
    );
  const untilStatus = (request: () => Promise<{ status: number }>, status: number) =>
    eventually(request, (answer) => answer.status === status);

  it('is read, and refuses writes of the API, the dashboard and payment pages', async () => {
    const link = await makeLink(api.client);
    const owner = await signIn(places.addresses.public_url, api.stack.credentials.account);
    const headers = { 'florin-merchant': merchant_id, 'florin-mode': 'sandbox' };
    const customer = documentOf('customers', { email: 'a@example.com' });
    const form = { payUrl: places.addresses.pay_url } as never;
    await stopAs('leaving');
    const answer = await eventually(
      () => api.client.send('POST', '/v2/customers', customer),
      ({ status }) => status === 503,
    );
    expect([answer.headers.get('retry-after'), answer.body.errors?.[0]?.code]).toEqual([
      '2',
      'unavailable',
    ]);
    expect((await owner.send('POST', '/v2/customers', customer, headers)).status).toBe(503);
    expect((await browse(form, pathOf(link), { name: 'Ada' })).status).toBe(503);
    expect((await browse(form, pathOf(link))).status).toBe(200);
    expect((await api.client.get('/v2/customers')).status).toBe(200);
    await inHome('delete from stopped_merchants');
    await untilStatus(() => api.client.send('POST', '/v2/customers', customer), 201);
  });

  it('has no work of its loops done', async () => {
    const { id } = await makeDemand(api.client, {}, await makeParties(api.client));
    const statusOf = async () =>
      (await inHome('select status from payment_demands where id = $1', [id]))[0]?.status;
    await stopAs('leaving');
    await inHome(`update payment_demands set status = 'pending', due_at = now() where id = $1`, [
      id,
    ]);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await statusOf()).toBe('pending');
    await inHome('delete from stopped_merchants');
    expect((await waitForOutcome(api.client, id)).attributes.status).toBe('succeeded');
  });

  it('has lines of settlement that wait, and hold up no other', async () => {
    await inHome(
      `insert into settlement_entries
         (processor, mode, day, line, entry, reference, authorisation, amount_cents, amount_currency)
       select 'sandbox', 'sandbox', '2026-01-01', 1, 'capture', id, id, 2500, 'USD' from attempts
       where merchant_id = $1 and operation = 'authorise' and status = 'approved' limit 1`,
      [merchant_id],
    );
    const file = { processor: 'sandbox', mode: 'sandbox', day: '2026-01-02' };
    const compare = async () => {
      await using db = openOne(api.stack.databaseUrl);
      return compareLines(await linesToCompare(db, file, 10), file, 0);
    };
    const findMissing = async () => {
      await using db = openOne(api.stack.databaseUrl);
      const ever = { from: '-infinity', to: 'infinity' };
      return (await readUnsettled(db, file, ever, 100)).length;
    };
    expect((await compare()).transfers).toHaveLength(1);
    expect(await findMissing()).toBeGreaterThan(0);
    await stopAs('fenced');
    expect(await compare()).toMatchObject({ lines: [{ outcome: null }], transfers: [] });
    expect(await findMissing()).toBe(0);
    await inHome('delete from stopped_merchants');
    await inHome(`delete from settlement_entries where day = '2026-01-01'`);
  });

  it('takes no write once it is fenced, also from processes that do not know it', async () => {
    await runFenced(async () => {
      const write = inHome(`update customers set name = 'Late' where merchant_id = $1`, [
        merchant_id,
      ]);
      await expect(write).rejects.toThrow('moves to another cell');
      await inHome(`update webhook_subscriptions set untaken_count = 0 where merchant_id <> $1`, [
        merchant_id,
      ]);
    });
    await expectServedAtHome();
  });
});
