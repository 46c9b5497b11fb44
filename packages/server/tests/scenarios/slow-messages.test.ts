import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, createClient } from '../support/client.ts';
import { makeDemand, makeParties, settled } from '../support/make.ts';
import { createGate, type SlowNetwork, startSlowNetwork } from '../support/slow-network.ts';

let network: SlowNetwork;
let client: Client;
beforeAll(async () => {
  network = await startSlowNetwork({});
  client = createClient(network.baseUrl, network.credentials.sandbox.secret_key);
});
afterAll(() => network[Symbol.asyncDispose]());

const SLOW_PAYMENTS = 12;
const SLOW_CENTS = 4_200;

it('slow responses of the network do not delay other messages', async () => {
  const gate = createGate();
  const arrivals: (() => void)[] = [];
  network.onMessage = async ({ body }) => {
    if (!body.includes(`"amount":${SLOW_CENTS},`)) return;
    arrivals.shift()?.();
    await gate.pass();
  };
  const parties = await makeParties(client);
  const slow = [];
  for (let count = 0; count < SLOW_PAYMENTS; count++) {
    // Each is sent in a separate batch.
    const arrived = new Promise<void>((resolve) => arrivals.push(resolve));
    slow.push(await makeDemand(client, { confirmed: true, amount_cents: SLOW_CENTS }, parties));
    await arrived;
  }
  const quick = await makeDemand(client, { confirmed: true }, parties);
  expect((await settled(client, quick.id)).attributes.status).toBe('succeeded');
  const first = await client.fetch('payment_demands', slow[0]?.id as string);
  expect([first.attributes.status, first.meta]).toEqual(['processing', { allowed_actions: [] }]);
  gate.open();
  for (const { id } of slow) {
    expect((await settled(client, id)).attributes.status).toBe('succeeded');
  }
});
