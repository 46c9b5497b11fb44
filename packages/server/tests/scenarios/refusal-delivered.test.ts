import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../support/client.ts';
import { eventually, makeDemand, makeParties } from '../support/make.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

/** Longer than any test: loops run only when woken. */
const NEVER_MS = 3_600_000;

let stack: Stack;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver({ '/hook': () => 200 });
  stack = await startStack({ config: { work_poll_ms: NEVER_MS } });
});
afterAll(async () => {
  await stack[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

it('a payment that is refused before it is sent wakes its webhook deliveries', async () => {
  const client = createClient(stack.baseUrl, stack.credentials.sandbox.secret_key);
  await client.make('webhook_subscriptions', {
    url: `${receiver.origin}/hook`,
    events: ['transaction.payment_demands.failed'],
  });
  const parties = await makeParties(client, 'threeds_rejected');
  const demand = await makeDemand(client, { confirmed: true }, parties);
  const [request] = await eventually(
    async () => receiver.requestsTo('/hook'),
    (requests) => requests.length > 0,
  );
  expect(request?.body).toContain(demand.id);
});
