import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '@florin/dev-env/parts.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_KEY } from '../support/accounts-stack.ts';
import { useOwnStack } from '../support/api.ts';
import { openOne } from '../support/cells.ts';
import { type AwayCell, chooseRouterPlaces } from '../support/cells-behind-router.ts';
import { documentOf } from '../support/client.ts';
import { eventually, makeCapturedPayment, makeRefund, waitForOutcome } from '../support/make.ts';
import { endLeases, pausingDeps, rowCounts, runMove, startTwoCells } from '../support/moves.ts';
import { exampleAdapter } from '../support/network-adapter.ts';
import { type Operator, operatorOf } from '../support/operator.ts';

const cleanup = new AsyncDisposableStack();
const networkDir = await mkdtemp(join(tmpdir(), 'florin-network-'));
cleanup.defer(() => rm(networkDir, { recursive: true, force: true }));
const network = cleanup.use(await startSimulator(networkDir, 0));
const adapters = { example: exampleAdapter };
/** Processes of `away` read rules by themselves each minute. */
const SELDOM = { timelines_poll_ms: 60_000 };
const places = await chooseRouterPlaces();
const api = useOwnStack({
  config: { ...places.addresses, port: places.home },
  adapters,
  egress: [network.url],
});
let away: AwayCell;
let operator: Operator;
let merchant_id: string;
/** Accounts at the processor, of each cell. */
let accounts: Record<CellName, string>;
/** Other accounts of `home` that become the one of `away`. */
let former: string;
let late: string;
/** Accounts for the merchant alone, of each cell. */
let own: Record<CellName, string>;

beforeAll(async () => {
  away = await startTwoCells(api, places, cleanup, SELDOM, { adapters });
  operator = operatorOf(api);
  merchant_id = (await api.fixtures.getDemoMerchant()).id;
  accounts = { home: await connect('home'), away: await connect('away') };
});
afterAll(() => cleanup.disposeAsync());

type CellName = 'home' | 'away';

const ask = (cell: CellName, method: string, path: string, body: object) =>
  operator.send(method, path, body, randomUUID(), { 'florin-cell': cell });

async function send(cell: CellName, method: string, path: string, body: object) {
  const answer = await ask(cell, method, path, body);
  expect([path, answer.status < 300, answer.body?.errors]).toEqual([path, true, undefined]);
  return answer.body;
}

/** Connects an account in a cell, for all merchants or for one. */
async function addAccount(cell: CellName, name: string, owner?: string): Promise<string> {
  const draft = { processor: 'example', mode: 'sandbox', name, merchant_id: owner };
  const secrets = { settings: { origin: network.url }, secrets: { api_key: API_KEY } };
  return (await send(cell, 'POST', '/processor_accounts', { ...draft, ...secrets })).data.id;
}

/** Connects an account, and enables it. */
async function connectAccount(cell: CellName, name: string, owner?: string): Promise<string> {
  const id = await addAccount(cell, name, owner);
  await send(cell, 'POST', `/processor_accounts/${id}/enable`, {});
  return id;
}

const RULES = 'select name, merchant_id from routing_rules order by position';

const storeRules = (cell: CellName, rules: readonly object[]) =>
  send(cell, 'PUT', '/routing/sandbox', { rules });

/** Connects the processor in a cell, where it takes all payments of the sandbox. */
async function connect(cell: CellName): Promise<string> {
  const id = await connectAccount(cell, `Account of ${cell}`);
  await storeRules(cell, [{ name: 'All', accounts: [id] }]);
  return id;
}

async function inCell(url: string, sql: string, values: unknown[] = []) {
  await using db = openOne(url);
  return await db.query(sql, values);
}

/** A notification that came during the move, and that the cell could not apply. */
const notify = (received_at: string) =>
  inCell(
    api.stack.databaseUrl,
    `insert into processor_notifications
       (id, processor_account_id, mode, hash, body, due_at, received_at, updated_at, status)
     values (gen_random_uuid(), $1, 'sandbox', gen_random_uuid()::text, 'e30=', '2099-01-01', $2, now(), 'received')`,
    [accounts.home, received_at],
  );

/** Account that takes a new payment. */
async function accountOf(url: string) {
  const { id } = await makeCapturedPayment(api.client);
  const sql = 'select processor_account_id from attempts where payment_demand_id = $1';
  return (await inCell(url, sql, [id]))[0]?.processor_account_id;
}

/** Processes of the target read its stops every 500 ms. */
const untilServed = () =>
  eventually(
    () => api.client.get('/v2/merchants'),
    ({ status }) => status === 200,
  );

/** Processes of the source may still answer reads at first. */
const untilWritten = () =>
  eventually(
    () =>
      api.client.send('POST', '/v2/customers', documentOf('customers', { email: 'a@b.example' })),
    ({ status }) => status === 201,
  );

/** A line of a report about a payment, in a cell. */
const storeReportLine = (cell: CellName, reference: unknown, outcome: string | null) =>
  inCell(
    cell === 'home' ? api.stack.databaseUrl : away.address,
    `with report as (insert into processor_reports
       (id, processor_account_id, mode, name, location, status, created_at, updated_at)
       values (gen_random_uuid(), $1, 'sandbox', 'report', '', 'compared', now(), now()) returning id)
     insert into processor_report_lines (report_id, processor_account_id, mode, line, kind, batch,
       authorisation_reference, amount_cents, amount_currency, outcome)
     select id, $1, 'sandbox', 1, 'capture', '1', $2, 2500, 'USD', $3 from report`,
    [accounts[cell], reference, outcome],
  );

it('payments of an account at a processor are refunded by the account of the other cell', async () => {
  const payment = await makeCapturedPayment(api.client);
  expect(payment.attributes.status).toBe('succeeded');
  const input = { merchant_id, cell: 'away' };
  former = await connectAccount('home', 'Former of home');
  await expect(runMove(api, input)).rejects.toThrow(
    'the target has no account like Account of home (example, sandbox)',
  );
  const mapped = {
    ...input,
    accounts: { [accounts.home]: accounts.away, [former]: accounts.away },
  };
  await notify('2026-01-01');
  // Clocks of the cell and of the global database differ.
  await notify(new Date(Date.now() - 60_000).toISOString());
  const [attempt] = await inCell(
    api.stack.databaseUrl,
    `select processor_reference from attempts where payment_demand_id = $1 and operation = 'authorise'`,
    [payment.id],
  );
  await storeReportLine('home', attempt?.processor_reference, null);
  await storeReportLine('away', attempt?.processor_reference, 'unmatched');
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const printAndNotify = (line: string): void => {
    print(line);
    if (line.includes('Copying')) notified = notify('now');
  };
  let notified: Promise<unknown> = Promise.resolve();
  await runMove(api, mapped, { print: printAndNotify });
  await notified;
  expect(lines).toContain('Passed on 2 notifications of processors.');
  expect(lines).toContain('Handed over 1 lines of settlement.');
  const [line] = await inCell(
    away.address,
    `select l.outcome, r.status from processor_report_lines l join processor_reports r on r.id = l.report_id`,
  );
  expect([line?.outcome === 'unmatched', line?.status]).toEqual([false, 'booked']);
  const passedOn = await inCell(
    away.address,
    'select processor_account_id from processor_notifications',
  );
  expect(passedOn.map((row) => row.processor_account_id)).toEqual([accounts.away, accounts.away]);

  await untilServed();
  const refund = await makeRefund(api.client, payment);
  const { attributes } = await waitForOutcome(api.client, refund.id, 'refund_demands');
  expect(attributes.status).toBe('succeeded');
  const attempts = await inCell(
    away.address,
    `select distinct processor_account_id, coalesce(route::text, '') like '%' || $2 || '%' as names_old from attempts
     where merchant_id = $1`,
    [merchant_id, accounts.home],
  );
  expect(attempts.map((row) => row.processor_account_id)).toEqual([accounts.away]);
  expect(attempts.every((row) => row.names_old !== 't')).toBe(true);
});

it('rules and accounts for the merchant alone move, once the target has such accounts', async () => {
  const leaving = await connectAccount('away', 'Own of away', merchant_id);
  await storeRules('away', [
    { name: 'Own', merchant_id, accounts: [leaving] },
    { name: 'All', accounts: [accounts.away] },
  ]);
  expect(await accountOf(away.address)).toBe(leaving);

  const input = { merchant_id, cell: 'home', accounts: { [accounts.away]: accounts.home } };
  await expect(runMove(api, input)).rejects.toThrow(
    `for the merchant alone: connect it there for the merchant ${merchant_id}`,
  );
  const arrived = await connectAccount('home', 'Own of home', merchant_id);
  own = { home: arrived, away: leaving };
  late = await connectAccount('home', 'Only of home');
  const lines = await runMove(api, {
    ...input,
    accounts: { ...input.accounts, [leaving]: arrived },
  });
  expect(lines.join()).toContain('The account Own of away (sandbox) for the merchant alone stays');
  await untilServed();
  expect(await accountOf(api.stack.databaseUrl)).toBe(arrived);

  expect(await inCell(api.stack.databaseUrl, RULES)).toMatchObject([
    { name: 'Own', merchant_id },
    { name: 'All', merchant_id: null },
  ]);
  expect(await inCell(away.address, RULES)).toMatchObject([{ name: 'All' }]);
  expect(await rowCounts(away.address, merchant_id)).toEqual({});
  const records = await inCell(
    api.stack.databaseUrl,
    `select processor_account_id from processor_details
     where merchant_id = $1 and processing_state = 'enabled' and processor_account_id is not null`,
    [merchant_id],
  );
  expect(records.map((row) => row.processor_account_id).sort()).toEqual(
    [accounts.home, arrived, late, former].sort(),
  );
});

describe('rules for the merchant alone', () => {
  let added: string;
  const moved = () => ({
    merchant_id,
    cell: 'away',
    accounts: {
      ...Object.fromEntries([accounts.home, former, late].map((id) => [id, accounts.away])),
      [own.home]: own.away,
    },
  });

  const expectRulesStay = async (cell: CellName): Promise<void> => {
    const drafts = { rules: [{ name: 'Later', merchant_id, accounts: [own[cell]] }] };
    const answer = await ask(cell, 'PUT', '/routing/sandbox', drafts);
    const detail = expect.stringContaining(`merchant ${merchant_id} moves`);
    expect([answer.status, answer.headers.get('retry-after'), answer.body.errors]).toEqual([
      503,
      '2',
      [expect.objectContaining({ detail })],
    ]);
  };

  it('cannot change while the merchant moves', async () => {
    const { paused, resume, connect } = pausingDeps(api, /^commit$/);
    const cancelled = expect(runMove(api, moved(), { connect })).rejects.toThrow();
    await Promise.race([paused, cancelled]);
    const other = { ...moved().accounts, [late]: own.away };
    await expect(runMove(api, { ...moved(), accounts: other })).rejects.toThrow(
      `the copy has begun with ${accounts.away} in place of the account ${late}`,
    );
    await expectRulesStay('home');
    const url = api.stack.databaseUrl;
    for (const sql of [
      'delete from routing_rules where merchant_id = $1',
      `insert into routing_rules (id, merchant_id, mode, position, name, conditions, accounts, fallback, created_at)
       values ($1, $1, 'live', 0, 'Later', '{}', '[]', 'none', now())`,
    ])
      await expect(inCell(url, sql, [merchant_id])).rejects.toThrow('moves to another cell');
    expect(await inCell(url, RULES)).toMatchObject([{ name: 'Own' }, { name: 'All' }]);
    await endLeases(api);
    await runMove(api, { ...moved(), cancel: true });
    resume();
    await cancelled;
    await untilServed();
    await storeRules('home', [
      { name: 'Own', merchant_id, accounts: [own.home] },
      { name: 'All', accounts: [accounts.home] },
    ]);
  });

  it('name an account that was added since the command looked, so the move ends before the copy', async () => {
    const { paused, resume, ...deps } = pausingDeps(api, /insert into directory_moves/);
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const refused = expect(runMove(api, moved(), { ...deps, print })).rejects.toThrow(
      'the merchant uses other accounts than when the command began: Added of home',
    );
    await Promise.race([paused, refused]);
    added = await connectAccount('home', 'Added of home');
    await storeRules('home', [{ name: 'Own', merchant_id, accounts: [own.home, added] }]);
    resume();
    await refused;
    expect(lines.at(-1)).toContain('The cell home serves the merchant as before');
    await untilServed();
    expect(await inCell(away.address, RULES)).toMatchObject([{ name: 'All', merchant_id: null }]);
  });

  it('route the first payment in the new cell, also where a process has just read those before', async () => {
    await storeRules('home', [{ name: 'Own', merchant_id, accounts: [own.home] }]);
    const { paused, resume, connect } = pausingDeps(api, /^begin isolation level/);
    const { accounts: matched } = moved();
    const input = { ...moved(), accounts: { ...matched, [added]: accounts.away } };
    const moving = runMove(api, input, { connect, known_ms: 0 });
    await Promise.race([paused, moving]);
    await addAccount('away', 'Lets the process read');
    resume();
    await moving;
    await untilWritten();
    expect(await accountOf(away.address)).toBe(own.away);
  });

  it('cannot change in the old cell either while its rows are deleted', async () => {
    const { paused, resume, connect } = pausingDeps(api, /^delete from settlement_entries/);
    const back = { [accounts.away]: accounts.home, [own.away]: own.home };
    const moving = runMove(api, { merchant_id, cell: 'home', accounts: back }, { connect });
    await Promise.race([paused, moving]);
    await expectRulesStay('away');
    resume();
    await moving;
    await storeRules('away', [{ name: 'All', accounts: [accounts.away] }]);
  });
});
