import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createReceiver, type Receiver } from '../notifications/receiver.ts';
import { hasSchemas, schemaErrors } from './schemas.ts';
import {
  createPaymentRequest,
  createStandInClient,
  DECLINED_CARD,
  errorOf,
  type StandInClient,
  useSimulator,
} from './stand-in.ts';

const DAY_MS = 24 * 60 * 60_000;
const simulator = useSimulator();
let receiver: Receiver;
let client: StandInClient;
beforeEach(async () => {
  receiver = await createReceiver();
  const webhooks = { webhook_url: receiver.url, webhook_key: 'key' };
  client = await createStandInClient(simulator.url, webhooks);
});
afterEach(async () => {
  await client.configure({ webhook_url: undefined });
  await receiver[Symbol.asyncDispose]();
});

type Members = Record<string, unknown>;

async function pay(changes: Members): Promise<Members & { id: string }> {
  const payment = await client.sdk.payments.request(createPaymentRequest(changes));
  return payment as Members & { id: string };
}
const status = async (id: string) => (await client.sdk.payments.get(id)).status;
const types = async (count: number) =>
  (await receiver.arrived(count)).map(({ body }) => (JSON.parse(body) as { type: string }).type);
const setOutcome = (id: string, code: string) =>
  client.control('PUT', `/payments/${id}/outcomes`, { Authorization: code });

describe('a scheduled retry', () => {
  const retried = {
    source: { number: DECLINED_CARD },
    retry: { dunning: { enabled: true } },
    capture: true,
  };

  it('follows a soft decline, and charges again although nobody asked', async () => {
    const { id, approved, status: first, response_code } = await pay(retried);
    expect([approved, first, response_code]).toEqual([false, 'Retry Scheduled', '20005']);
    await setOutcome(id, '10000');
    await client.advance(DAY_MS);
    expect(await status(id)).toBe('Captured');
    expect(await types(3)).toEqual([
      'payment_retry_scheduled',
      'payment_approved',
      'payment_captured',
    ]);
  });

  it('ends declined, if the issuer decides as before', async () => {
    const { id } = await pay(retried);
    await client.advance(DAY_MS);
    expect(await status(id)).toBe('Declined');
    expect(await types(2)).toEqual(['payment_retry_scheduled', 'payment_declined']);
  });

  it('does not follow a hard decline, and no decline without permission', async () => {
    const hard = { ...retried, source: { number: '4941202060999329' } };
    expect((await pay(hard)).status).toBe('Declined');
    expect((await pay({ ...retried, retry: undefined })).status).toBe('Declined');
  });

  it('is canceled by the official SDK, once', async () => {
    const { id } = await pay(retried);
    const receipt = await client.sdk.payments.cancelScheduledRetry(id, { reference: 'stop' });
    expect(receipt).toMatchObject({
      action_id: expect.stringMatching(/^act_/),
      reference: 'stop',
    });
    expect(await status(id)).toBe('Canceled');
    await client.advance(2 * DAY_MS);
    expect(await status(id)).toBe('Canceled');
    expect(await types(2)).toEqual(['payment_retry_scheduled', 'payment_canceled']);
    const again = client.sdk.payments.cancelScheduledRetry(id, {});
    expect((await errorOf(again)).http_code).toBe(403);
  });

  it('is canceled by a reversal, whose repetition gets 204', async () => {
    const { id } = await pay(retried);
    const statuses: number[] = [];
    for (let count = 0; count < 2; count++)
      statuses.push((await client.send('POST', `/payments/${id}/reversals`)).status);
    expect(statuses).toEqual([202, 204]);
    expect(await status(id)).toBe('Canceled');
  });
});

describe('an increment by the official SDK', () => {
  const estimated = { authorization_type: 'Estimated', amount: 1000 };

  it('adds to an estimated authorisation at once, and renews it', async () => {
    const { id, expires_on } = await pay(estimated);
    await client.advance(DAY_MS);
    const increment = await client.sdk.payments.increment(id, { amount: 500, reference: 'more' });
    expect(increment).toMatchObject({
      amount: 500,
      approved: true,
      status: 'Authorized',
      reference: 'more',
      balances: { total_authorized: 1500, available_to_capture: 1500 },
    });
    expect(increment).not.toHaveProperty('id');
    expect(Date.parse(increment.expires_on)).toBeGreaterThan(Date.parse(String(expires_on)));
    const [action] = (await client.sdk.payments.getActions(id)) as Members[];
    expect(action).toMatchObject({ type: 'Authorization', authorization_type: 'Incremental' });
    await client.sdk.payments.capture(id, {});
    expect(await client.sdk.payments.get(id)).toMatchObject({
      status: 'Captured',
      amount: 1500,
      balances: { total_captured: 1500 },
    });
    expect((await types(3))[1]).toBe('payment_authorization_incremented');
  });

  it('that is declined leaves the authorisation', async () => {
    const { id } = await pay(estimated);
    await setOutcome(id, '20051');
    expect(await client.sdk.payments.increment(id, { amount: 500 })).toMatchObject({
      approved: false,
      status: 'Declined',
      response_code: '20051',
      balances: { total_authorized: 1000 },
    });
    expect(await client.sdk.payments.get(id)).toMatchObject({ status: 'Authorized', amount: 1000 });
    expect((await types(2))[1]).toBe('payment_authorization_increment_declined');
  });

  it('is not allowed for a final authorisation, and after a capture', async () => {
    const final = await pay({ amount: 1000 });
    const captured = await pay(estimated);
    await client.sdk.payments.capture(captured.id, { amount: 1, capture_type: 'NonFinal' });
    for (const { id } of [final, captured])
      expect((await errorOf(client.sdk.payments.increment(id, { amount: 1 }))).http_code).toBe(403);
  });

  it.skipIf(!hasSchemas)('fits the official schema', async () => {
    const { id } = await pay(estimated);
    const { balances: _, ...increment } = await client.sdk.payments.increment(id, { amount: 1 });
    expect(schemaErrors('AuthorizationResponse', increment)).toEqual([]);
  });
});
