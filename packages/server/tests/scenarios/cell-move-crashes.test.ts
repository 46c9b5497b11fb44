import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { openOne } from '../support/cells.ts';
import { type AwayCell, chooseRouterPlaces } from '../support/cells-behind-router.ts';
import { type Client, createClient, documentOf } from '../support/client.ts';
import {
  makeAuthorisedPayment,
  makeCapturedPayment,
  makeMerge,
  makeRefund,
  purchase,
  waitForOutcome,
} from '../support/make.ts';
import {
  cellOf,
  countTriggers,
  crashingDeps,
  endLeases,
  ledgerDifferences,
  rowCounts,
  runMove,
  startTwoCells,
} from '../support/moves.ts';

/** Crashes of one move, spread over its statements. */
const CRASHES = Number(process.env.FLORIN_MOVE_CRASHES ?? 8);
/** Time in which processes know of a stop, with a margin. */
const KNOWN_MS = 700;
/** Processes of the target read its stops every 500 ms, and answer 503 until then. */
const SOON = { timeout: 10_000 };

const places = await chooseRouterPlaces();
const api = useOwnStack({ config: { ...places.addresses, port: places.home } });
const cleanup = new AsyncDisposableStack();
let away: AwayCell;
let merchant_id: string;
/** Clients of the cells themselves, without the router. */
let direct: Record<'home' | 'away', Client>;

beforeAll(async () => {
  away = await startTwoCells(api, places, cleanup);
  merchant_id = (await api.fixtures.getDemoMerchant()).id;
  const { secret_key } = api.stack.credentials.sandbox;
  const clientAt = (port: number) => createClient(`http://127.0.0.1:${port}`, secret_key);
  direct = { home: clientAt(places.home), away: clientAt(places.away) };
  const payment = await makeCapturedPayment(api.client);
  const refund = await makeRefund(api.client, payment, { amount_cents: 100 });
  await waitForOutcome(api.client, refund.id, 'refund_demands');
  await makeMerge(api.client);
  await makeAuthorisedPayment(api.client);
});
afterAll(() => cleanup.disposeAsync());

const urlOf = (cell: string): string => (cell === 'home' ? api.stack.databaseUrl : away.address);

const statusOf = async () => (await api.client.get('/v2/merchants')).status;

/** Names of the cells that take a write of the merchant now. */
async function cellsThatWrite(): Promise<string[]> {
  const body = documentOf('payment_demands', purchase);
  const answers = await Promise.all(
    Object.entries(direct).map(async ([cell, client]) => {
      const { status } = await client.send('POST', '/v2/payment_demands', body);
      return [cell, status] as const;
    }),
  );
  return answers.filter(([, status]) => status === 201).map(([cell]) => cell);
}

const triggersIn = (cell: string) => countTriggers(urlOf(cell));

/** Moves the merchant to the other cell after a crash of an earlier command, and checks both cells. */
async function crashAndRepeat(statements: number): Promise<boolean> {
  const source = (await cellOf(api, merchant_id)) as string;
  const cell = source === 'home' ? 'away' : 'home';
  const crash = crashingDeps(api, statements);
  const input = { merchant_id, cell };
  const died = await runMove(api, input, { ...crash, known_ms: KNOWN_MS }).then(
    () => false,
    () => true,
  );
  if (died) {
    await new Promise((resolve) => setTimeout(resolve, KNOWN_MS));
    expect((await cellsThatWrite()).length).toBeLessThanOrEqual(1);
    await endLeases(api);
    await runMove(api, input, { known_ms: KNOWN_MS });
  }
  expect([await cellOf(api, merchant_id), await rowCounts(urlOf(source), merchant_id)]).toEqual([
    cell,
    {},
  ]);
  for (const each of ['home', 'away']) {
    expect([each, await ledgerDifferences(urlOf(each)), await triggersIn(each)]).toEqual([
      each,
      [],
      0,
    ]);
  }
  // The router follows the cell that the merchant has left.
  await expect.poll(statusOf, SOON).toBe(200);
  expect((await makeCapturedPayment(api.client)).attributes.status).toBe('succeeded');
  await expect.poll(cellsThatWrite, SOON).toEqual([cell]);
  return died;
}

it('a move that has not switched can be cancelled, and one with a copy goes on', async () => {
  const input = { merchant_id, cell: 'away' };
  /** Dies right after a line is printed. */
  const dieAfter = (text: string) => {
    const crash = crashingDeps(api, Number.POSITIVE_INFINITY);
    const print = (line: string): void => {
      if (line.includes(text)) crash.die();
    };
    return runMove(api, input, { ...crash, print, known_ms: KNOWN_MS });
  };
  await expect(dieAfter('takes no writes')).rejects.toThrow();
  expect(await cellsThatWrite()).toEqual([]);
  await endLeases(api);
  await runMove(api, { ...input, cancel: true });
  await new Promise((resolve) => setTimeout(resolve, KNOWN_MS));
  await expect.poll(cellsThatWrite, SOON).toEqual(['home']);
  expect(await triggersIn('home')).toBe(0);

  await expect(dieAfter('Copied')).rejects.toThrow();
  await endLeases(api);
  await expect(runMove(api, { ...input, cancel: true })).rejects.toThrow('has the copy');
  // Refused before the copy, and not any more after it.
  await using target = openOne(away.address);
  const nameNetwork = (value: unknown) =>
    target.query(`update installation_facts set value = $1 where name = 'card_network'`, [value]);
  const [network] = await target.query(
    `select value from installation_facts where name = 'card_network'`,
    [],
  );
  await nameNetwork('another');
  await runMove(api, input, { known_ms: KNOWN_MS });
  await nameNetwork(network?.value);
  await expect.poll(cellsThatWrite, SOON).toEqual(['away']);
  await expect(runMove(api, { ...input, cell: 'home', cancel: true })).resolves.toEqual([
    'The merchant does not move.',
  ]);
  await runMove(api, { ...input, cell: 'home' }, { known_ms: KNOWN_MS });
  await expect.poll(statusOf, SOON).toBe(200);
});

describe('a command that dies', () => {
  it(
    'is repeated, wherever it died, and two cells never serve the merchant',
    async () => {
      const whole = crashingDeps(api, Number.POSITIVE_INFINITY);
      await runMove(api, { merchant_id, cell: 'away' }, { ...whole, known_ms: KNOWN_MS });
      const died: boolean[] = [];
      for (let at = 1; at <= CRASHES; at++)
        died.push(await crashAndRepeat(Math.ceil((at * whole.count()) / (CRASHES + 1))));
      expect(died).toEqual(died.map(() => true));
    },
    60_000 + CRASHES * 40_000,
  );
});
