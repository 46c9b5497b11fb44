import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient, type ResourceObject } from '../support/client.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import { eventually, makeDemand, makeParties, settled } from '../support/make.ts';

const clock = clockAhead();

/** Last four digits of amounts that make the network misbehave, see the simulator. */
const amounts = { answer_lost: 19_701, reset: 19_702, garbage: 19_703 };

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ config: { clock } });
  client = createClient(stack.baseUrl, stack.credentials.sandbox.secret_key);
});
afterAll(() => stack[Symbol.asyncDispose]());

const pay = async (amount_cents: number): Promise<ResourceObject> =>
  makeDemand(client, { confirmed: true, amount_cents }, await makeParties(client));

const untilUnknown = (id: string): Promise<ResourceObject> =>
  eventually(
    () => client.fetch('payment_demands', id),
    ({ meta }) => meta?.outcome === 'unknown',
  );

const approvals = async (): Promise<number> =>
  ((await (await fetch(`${stack.simulatorUrl}/v1/books`)).json()) as { approved: number }).approved;

describe('a payment whose answer is lost', () => {
  it.each(['answer_lost', 'garbage'] as const)(
    '(%s) stays processing and says so, until the network is asked and tells',
    async (fault) => {
      const before = await approvals();
      const { id } = await pay(amounts[fault]);
      const unknown = await untilUnknown(id);
      expect(unknown.attributes).toMatchObject({ status: 'processing', failure_reason: null });
      expect(unknown.meta).toEqual({
        allowed_actions: [],
        outcome: 'unknown',
        since: expect.stringMatching(/^20.*Z$/),
      });
      clock.advance(5);
      const found = await settled(client, id);
      expect([found.attributes.status, found.meta]).toEqual([
        'succeeded',
        { allowed_actions: ['refund'] },
      ]);
      expect((await approvals()) - before).toBe(1);
    },
  );

  it('that never reached the network fails once it has been reversed there, and nothing is charged', async () => {
    const before = await approvals();
    const { id } = await pay(amounts.reset);
    await untilUnknown(id);
    clock.advance(3);
    expect((await untilUnknown(id)).attributes.status).toBe('processing');
    clock.advance(30);
    const { attributes } = await settled(client, id);
    expect([attributes.status, attributes.failure_reason]).toEqual([
      'failed',
      'processor_unreachable',
    ]);
    expect((await approvals()) - before).toBe(0);
  });

  it('cannot be confirmed again meanwhile', async () => {
    const { id } = await pay(amounts.reset);
    await untilUnknown(id);
    const again = await client.send('PATCH', `/v2/payment_demands/${id}/confirm`);
    expect([again.status, again.body.errors?.[0]?.code]).toEqual([405, 'invalid_state']);
  });
});

describe('while the vault is away', () => {
  it('confirmed payments wait, and are charged once when it is back', async () => {
    const parties = await makeParties(client);
    await stack.stop('vault');
    const { id } = await makeDemand(client, { confirmed: true }, parties);
    const waiting = await eventually(
      () => client.fetch('payment_demands', id),
      ({ attributes }) => attributes.status === 'pending',
    );
    expect(waiting.attributes.failure_reason).toBeNull();
    await stack.start('vault');
    clock.advance(5);
    expect((await settled(client, id)).attributes.status).toBe('succeeded');
  });
});
