import type { NetworkCounts } from '@florin/contract/protocol/network.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, createClient } from '../support/client.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import { makePaid, makeRefund, settled } from '../support/make.ts';
import { createGate, type SlowNetwork, startSlowNetwork } from '../support/slow-network.ts';

const clock = clockAhead();

let network: SlowNetwork;
let client: Client;
beforeAll(async () => {
  network = await startSlowNetwork({ clock });
  client = createClient(network.baseUrl, network.credentials.sandbox.secret_key);
});
afterAll(() => network[Symbol.asyncDispose]());

const books = async (): Promise<NetworkCounts> =>
  (await (await fetch(`${network.simulatorUrl}/v1/books`)).json()) as NetworkCounts;

it('a refund whose first message arrives after the second one is refunded once', async () => {
  const payment = await makePaid(client, { amount_cents: 5_000 });
  const first = createGate();
  const arrived = Promise.withResolvers<void>();
  let messages = 0;
  network.onMessage = async ({ method, path }) => {
    if (method !== 'POST' || !path.endsWith('/refunds')) return;
    messages++;
    if (messages === 1) await first.pass().finally(() => setImmediate(arrived.resolve));
  };
  const refund = await makeRefund(client, payment, { amount_cents: 3_000 });
  await first.reached;
  // The lease expires, as if its process had died before sending.
  clock.advance(30);
  expect((await settled(client, refund.id, 'refund_demands')).attributes.state).toBe('succeeded');
  expect(messages).toBe(2);

  first.open();
  await arrived.promise;
  // Once a new refund is complete, the late message has arrived.
  const rest = await makeRefund(client, payment);
  expect((await settled(client, rest.id, 'refund_demands')).attributes.state).toBe('succeeded');
  expect(await books()).toMatchObject({ refunds: 2, refunded: 5_000 });
  const { attributes } = await client.fetch('payment_demands', payment.id);
  expect(attributes.amount_refunded_cents).toBe(5_000);
});
