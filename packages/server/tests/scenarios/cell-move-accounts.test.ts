import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '@florin/dev-env/parts.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { API_KEY } from '../support/accounts-stack.ts';
import { useOwnStack } from '../support/api.ts';
import { openOne } from '../support/cells.ts';
import { type AwayCell, chooseRouterPlaces } from '../support/cells-behind-router.ts';
import { makeCapturedPayment, makeRefund, waitForOutcome } from '../support/make.ts';
import { runMove, startTwoCells } from '../support/moves.ts';
import { exampleAdapter } from '../support/network-adapter.ts';
import { type Operator, operatorOf } from '../support/operator.ts';

const cleanup = new AsyncDisposableStack();
const networkDir = await mkdtemp(join(tmpdir(), 'florin-network-'));
cleanup.defer(() => rm(networkDir, { recursive: true, force: true }));
const network = cleanup.use(await startSimulator(networkDir, 0));
const adapters = { example: exampleAdapter };
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
let accounts: Record<'home' | 'away', string>;

beforeAll(async () => {
  away = await startTwoCells(api, places, cleanup, {}, { adapters });
  operator = operatorOf(api);
  merchant_id = (await api.fixtures.getDemoMerchant()).id;
  accounts = { home: await connect('home'), away: await connect('away') };
});
afterAll(() => cleanup.disposeAsync());

/** Connects the processor in a cell, where it takes all payments of the sandbox. */
async function connect(cell: 'home' | 'away'): Promise<string> {
  const send = async (method: string, path: string, body: object) => {
    const headers = { 'florin-cell': cell };
    const answer = await operator.send(method, path, body, randomUUID(), headers);
    expect([path, answer.status < 300, answer.body?.errors]).toEqual([path, true, undefined]);
    return answer.body;
  };
  const draft = { processor: 'example', mode: 'sandbox', name: `Account of ${cell}` };
  const secrets = { settings: { origin: network.url }, secrets: { api_key: API_KEY } };
  const { id } = (await send('POST', '/processor_accounts', { ...draft, ...secrets })).data;
  await send('POST', `/processor_accounts/${id}/enable`, {});
  await send('PUT', '/routing/sandbox', { rules: [{ name: 'All', accounts: [id] }] });
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

it('payments of an account at a processor are refunded by the account of the other cell', async () => {
  const payment = await makeCapturedPayment(api.client);
  expect(payment.attributes.status).toBe('succeeded');
  const input = { merchant_id, cell: 'away' };
  await expect(runMove(api, input)).rejects.toThrow(
    'the target has no account like Account of home (example, sandbox)',
  );
  const mapped = { ...input, accounts: { [accounts.home]: accounts.away } };
  await notify('2026-01-01');
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const printAndNotify = (line: string): void => {
    print(line);
    if (line.includes('Copying')) notified = notify('now');
  };
  let notified: Promise<unknown> = Promise.resolve();
  await runMove(api, mapped, { print: printAndNotify });
  await notified;
  expect(lines).toContain('Passed on 1 notifications of processors.');
  const passedOn = await inCell(
    away.address,
    'select processor_account_id from processor_notifications',
  );
  expect(passedOn.map((row) => row.processor_account_id)).toEqual([accounts.away]);

  // The target's processes read its stops every 500 ms.
  const statusOf = async () => (await api.client.get('/v2/merchants')).status;
  await expect.poll(statusOf, { timeout: 5_000 }).toBe(200);
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
