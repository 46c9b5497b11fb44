import type { Books } from '@florin/contract/protocol/network.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, createClient } from '../support/client.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import { makeDemand, makeParties, settled } from '../support/make.ts';
import { createGate, type SlowNetwork, startSlowNetwork } from '../support/slow-network.ts';

const clock = clockAhead();

let network: SlowNetwork;
let client: Client;
beforeAll(async () => {
  network = await startSlowNetwork({ clock });
  client = createClient(network.baseUrl, network.credentials.sandbox.secret_key);
});
afterAll(() => network[Symbol.asyncDispose]());

const books = async (): Promise<Books> =>
  (await (await fetch(`${network.simulatorUrl}/v1/books`)).json()) as Books;

const LATE_CENTS = 4_200;

it('an authorisation that arrives between the last inquiry and the reversal is undone, and the payment says so', async () => {
  const authorisation = createGate();
  const reversal = createGate();
  network.onMessage = async ({ method, path, body }) => {
    if (path.endsWith('/reverse')) await reversal.pass();
    else if (method === 'POST' && body.includes(`"amount":${LATE_CENTS},`)) {
      await authorisation.pass();
    } else if (method === 'GET') clock.advance(10);
  };
  const parties = await makeParties(client);
  const late = await makeDemand(client, { confirmed: true, amount_cents: LATE_CENTS }, parties);
  await authorisation.reached;
  clock.advance(30);
  await reversal.reached;

  authorisation.open();
  // A payment that is made only now has come all the way after the late approval has.
  const other = await makeDemand(client, { confirmed: true }, parties);
  expect((await settled(client, other.id)).attributes.status).toBe('succeeded');
  expect((await client.fetch('payment_demands', late.id)).attributes.status).toBe('processing');
  expect((await books()).approved).toBe(2);

  reversal.open();
  const { attributes } = await settled(client, late.id);
  expect([attributes.status, attributes.failure_reason]).toEqual([
    'failed',
    'processor_unreachable',
  ]);
  expect(await books()).toMatchObject({ approved: 1, reversed: 1 });
});
