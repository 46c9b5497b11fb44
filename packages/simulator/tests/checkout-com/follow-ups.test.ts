import { beforeAll, describe, expect, it } from 'vitest';
import { createSimulator } from '../../src/app.ts';
import { createDataDir } from '../client.ts';
import { hasSchemas, schemaErrors } from './schemas.ts';
import {
  createPaymentRequest,
  createStandInClient,
  errorOf,
  newSecretKey,
  type StandInClient,
  useSimulator,
} from './stand-in.ts';

const OUTCOME_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
const simulator = useSimulator();
let client: StandInClient;
beforeAll(async () => {
  client = await createStandInClient(simulator.url, { outcome_delay_ms: OUTCOME_MS });
});

type Members = Record<string, unknown>;

async function pay(changes?: Parameters<typeof createPaymentRequest>[0]): Promise<string> {
  const payment = await client.sdk.payments.request(createPaymentRequest(changes));
  return String((payment as Members).id);
}

/** An approved payment whose capture is approved too. */
async function payAndCapture(amount = 2499): Promise<string> {
  const id = await pay({ amount, capture: true });
  await client.advance(OUTCOME_MS);
  return id;
}

const status = async (id: string) => (await client.sdk.payments.get(id)).status;
const balances = async (id: string) => (await client.sdk.payments.get(id)).balances;
const actions = async (id: string) => (await client.sdk.payments.getActions(id)) as Members[];

describe('a capture by the official SDK', () => {
  it('is a receipt first: the action has no outcome before the delay', async () => {
    const id = await pay();
    const receipt = await client.sdk.payments.capture(id, { reference: 'capture-1' });
    expect(receipt).toMatchObject({
      action_id: expect.stringMatching(/^act_[a-z2-7]{26}$/),
      reference: 'capture-1',
      _links: { payment: { href: expect.stringContaining(id) } },
    });
    const [pending] = await actions(id);
    expect(pending).toMatchObject({ id: receipt.action_id, type: 'Capture', amount: 2499 });
    expect(pending).not.toHaveProperty('approved');
    expect(await status(id)).toBe('Authorized');
    expect(await balances(id)).toMatchObject({ total_captured: 0, available_to_capture: 0 });
    await client.advance(OUTCOME_MS);
    expect((await actions(id))[0]).toMatchObject({ approved: true, response_code: '10000' });
    expect(await status(id)).toBe('Captured');
    expect(await balances(id)).toMatchObject({ total_captured: 2499, available_to_refund: 2499 });
  });

  it('of a part releases the rest, if it is final', async () => {
    const id = await pay();
    await client.sdk.payments.capture(id, { amount: 1000 });
    await client.advance(OUTCOME_MS);
    expect(await status(id)).toBe('Partially Captured');
    expect(await balances(id)).toMatchObject({ total_captured: 1000, total_voided: 1499 });
    expect((await errorOf(client.sdk.payments.capture(id, { amount: 1 }))).http_code).toBe(403);
  });

  it('of a part keeps the rest, if it is not final', async () => {
    const id = await pay();
    for (const amount of [1000, 1499]) {
      await client.sdk.payments.capture(id, { amount, capture_type: 'NonFinal' });
      await client.advance(OUTCOME_MS);
    }
    expect(await status(id)).toBe('Captured');
    expect(await actions(id)).toHaveLength(3);
    expect(await balances(id)).toMatchObject({ total_captured: 2499, total_voided: 0 });
  });

  it('is declined by its amount, and can be tried again', async () => {
    const id = await pay({ amount: 20_000 });
    await client.sdk.payments.capture(id, { amount: 9707 });
    await client.advance(OUTCOME_MS);
    expect((await actions(id))[0]).toMatchObject({ approved: false, response_code: '20005' });
    expect(await status(id)).toBe('Authorized');
    expect(await balances(id)).toMatchObject({ available_to_capture: 20_000, total_voided: 0 });
    await client.sdk.payments.capture(id);
    await client.advance(OUTCOME_MS);
    expect(await status(id)).toBe('Captured');
  });

  it.each([
    [{ amount: 2500 }, 'capture_value_greater_than_authorized'],
    [{ amount: 1500 }, 'capture_value_greater_than_remaining_authorized'],
    [{ amount: 0 }, 'amount_invalid'],
    [{ capture_type: 'final' }, 'capture_type_invalid'],
    [{ reference: 'r'.repeat(81) }, 'reference_invalid'],
    [{ metadata: { nested: {} } }, 'metadata_invalid'],
  ])('is refused with 422 %#', async (body, code) => {
    const id = await pay();
    await client.sdk.payments.capture(id, { amount: 1000, capture_type: 'NonFinal' });
    const error = await errorOf(client.sdk.payments.capture(id, body));
    expect(error).toMatchObject({ http_code: 422, body: { error_codes: [code] } });
  });

  it('happens by itself, if the payment request has no `capture`', async () => {
    const id = await pay({ capture: undefined, reference: 'by-itself' });
    expect(await status(id)).toBe('Authorized');
    await client.advance(OUTCOME_MS);
    expect(await status(id)).toBe('Captured');
    expect((await actions(id))[0]).toMatchObject({ type: 'Capture', reference: 'by-itself' });
  });

  it('is not allowed for declined, verified and pending payments', async () => {
    const ids = [
      await pay({ source: { number: '4024007181869214' } }),
      await pay({ amount: 0 }),
      await pay({ '3ds': { enabled: true } }),
    ];
    for (const id of ids) {
      const calls = [client.sdk.payments.capture(id), client.sdk.payments.void(id)];
      for (const call of [...calls, client.sdk.payments.reverse(id)])
        expect((await errorOf(call)).http_code).toBe(403);
    }
  });

  it('with a repeated key is the same capture', async () => {
    const id = await pay();
    const body = { amount: 1000, capture_type: 'NonFinal' };
    const first = await client.sdk.payments.capture(id, body, 'capture-key');
    expect(await client.sdk.payments.capture(id, body, 'capture-key')).toEqual(first);
    expect(await actions(id)).toHaveLength(2);
  });

  it('of an unknown payment gets 404 with an empty body', async () => {
    const response = await client.send('POST', '/payments/pay_unknown/captures', {});
    expect([response.status, await response.text()]).toEqual([404, '']);
  });
});

describe('a void', () => {
  it('takes the whole authorisation', async () => {
    const id = await pay();
    const { action_id } = await client.sdk.payments.void(id, { reference: 'void-1' });
    expect(await balances(id)).toMatchObject({ available_to_capture: 0, total_voided: 0 });
    expect((await errorOf(client.sdk.payments.capture(id))).http_code).toBe(403);
    await client.advance(OUTCOME_MS);
    expect(await status(id)).toBe('Voided');
    expect((await actions(id))[0]).toMatchObject({ id: action_id, type: 'Void', amount: 2499 });
    expect(await balances(id)).toMatchObject({ total_voided: 2499 });
    expect((await errorOf(client.sdk.payments.void(id))).http_code).toBe(403);
    await client.advance(8 * DAY_MS);
    expect(await status(id)).toBe('Voided');
  });

  it('is declined if control says so, and leaves the authorisation', async () => {
    const id = await pay();
    const response = await client.control('PUT', `/payments/${id}/outcomes`, { Void: '20005' });
    expect(response.status).toBe(204);
    await client.sdk.payments.void(id);
    await client.advance(OUTCOME_MS);
    expect((await actions(id))[0]).toMatchObject({ type: 'Void', approved: false });
    expect(await balances(id)).toMatchObject({ available_to_capture: 2499 });
  });

  it('after a capture is not allowed', async () => {
    const id = await payAndCapture();
    expect((await errorOf(client.sdk.payments.void(id))).http_code).toBe(403);
  });
});

describe('a refund', () => {
  it('of parts ends with the whole amount', async () => {
    const id = await payAndCapture();
    await client.sdk.payments.refund(id, { amount: 999, reference: 'refund-1' });
    await client.advance(OUTCOME_MS);
    expect(await status(id)).toBe('Partially Refunded');
    expect((await actions(id))[0]).toMatchObject({ type: 'Refund', reference: 'refund-1' });
    const error = await errorOf(client.sdk.payments.refund(id, { amount: 1501 }));
    expect(error.body.error_codes).toEqual(['amount_exceeds_balance']);
    await client.sdk.payments.refund(id);
    await client.advance(OUTCOME_MS);
    expect(await status(id)).toBe('Refunded');
    expect((await errorOf(client.sdk.payments.refund(id))).http_code).toBe(403);
  });

  it('is declined by its amount', async () => {
    const id = await payAndCapture(20_000);
    await client.sdk.payments.refund(id, { amount: 9705 });
    await client.advance(OUTCOME_MS);
    expect((await actions(id))[0]).toMatchObject({ type: 'Refund', approved: false });
    expect(await status(id)).toBe('Captured');
    expect(await balances(id)).toMatchObject({ available_to_refund: 20_000 });
  });

  it('right after the capture is not allowed, because the capture is not done', async () => {
    const id = await pay();
    await client.sdk.payments.capture(id);
    expect((await errorOf(client.sdk.payments.refund(id))).http_code).toBe(403);
  });

  it('may name its capture', async () => {
    const id = await payAndCapture();
    const [{ id: capture_action_id } = {}] = await actions(id);
    await client.sdk.payments.refund(id, { amount: 1, capture_action_id });
    const other = { amount: 1, capture_action_id: 'act_other' };
    expect((await errorOf(client.sdk.payments.refund(id, other))).http_code).toBe(422);
  });
});

describe('a reversal', () => {
  const reverse = async (id: string) => {
    const response = await client.send('POST', `/payments/${id}/reversals`, { reference: 'r' });
    const text = await response.text();
    return { status: response.status, body: text === '' ? '' : (JSON.parse(text) as Members) };
  };

  it('voids an authorisation, and answers 204 to repetitions', async () => {
    const id = await pay();
    expect(await reverse(id)).toMatchObject({
      status: 202,
      body: { action_type: 'Void', reference: 'r' },
    });
    expect(await reverse(id)).toEqual({ status: 204, body: '' });
    await client.advance(OUTCOME_MS);
    expect(await status(id)).toBe('Voided');
    expect(await reverse(id)).toEqual({ status: 204, body: '' });
    expect(await actions(id)).toHaveLength(2);
  });

  it('refunds a capture, and answers 204 to repetitions', async () => {
    const id = await payAndCapture();
    expect(await client.sdk.payments.reverse(id)).toMatchObject({ action_type: 'Refund' });
    await client.advance(OUTCOME_MS);
    expect(await status(id)).toBe('Refunded');
    expect((await reverse(id)).status).toBe(204);
  });

  it('of a declined void can be repeated', async () => {
    const id = await pay();
    await client.control('PUT', `/payments/${id}/outcomes`, { Void: '20005' });
    await reverse(id);
    await client.advance(OUTCOME_MS);
    expect((await reverse(id)).status).toBe(202);
  });

  it('is not allowed while a capture waits, and for an expired payment', async () => {
    const id = await pay();
    await client.sdk.payments.capture(id);
    expect((await reverse(id)).status).toBe(403);
    const lapsed = await pay();
    await client.advance(8 * DAY_MS);
    expect((await reverse(lapsed)).status).toBe(403);
  });
});

describe('time', () => {
  it('ends an authorisation: nothing can be captured or voided', async () => {
    const id = await pay();
    await client.advance(7 * DAY_MS - 10_000);
    expect(await status(id)).toBe('Authorized');
    await client.advance(10_000);
    expect(await status(id)).toBe('Expired');
    expect(await balances(id)).toMatchObject({ total_voided: 2499, available_to_capture: 0 });
    for (const call of [client.sdk.payments.capture(id), client.sdk.payments.void(id)])
      expect((await errorOf(call)).body.error_codes).toEqual(['payment_expired']);
  });

  it('settles a capture that was accepted before the expiry', async () => {
    const id = await pay();
    await client.advance(7 * DAY_MS - 10_000);
    await client.sdk.payments.capture(id, { amount: 1000 });
    await client.advance(2 * OUTCOME_MS);
    expect(await status(id)).toBe('Partially Captured');
    expect(await balances(id)).toMatchObject({ total_captured: 1000, total_voided: 1499 });
  });

  it('ends a hosted challenge that nobody passed', async () => {
    const id = await pay({ '3ds': { enabled: true } });
    await client.advance(15 * 60_000);
    expect(await status(id)).toBe('Declined');
    expect((await actions(id))[0]).toMatchObject({ approved: false, response_code: '20152' });
  });

  it('gives outcomes after a restart', async () => {
    const dataDir = createDataDir();
    const secretKey = newSecretKey();
    const firstRun = await createSimulator({ dataDir, port: 0 });
    const delay = { outcome_delay_ms: 1 };
    const first = await createStandInClient(firstRun.url, delay, secretKey);
    const { id } = (await first.sdk.payments.request(createPaymentRequest())) as { id: string };
    await first.sdk.payments.capture(id);
    await firstRun[Symbol.asyncDispose]();
    await using secondRun = await createSimulator({ dataDir, port: 0 });
    const second = await createStandInClient(secondRun.url, delay, secretKey);
    await second.advance(1);
    expect((await second.sdk.payments.get(id)).status).toBe('Captured');
  });
});

describe('a hosted challenge', () => {
  it.each([
    [true, 'Captured', '10000'],
    [false, 'Declined', '20151'],
  ])('that control ends with passed %s leads to %s', async (passed, result, code) => {
    const id = await pay({ '3ds': { enabled: true }, capture: true });
    await client.control('POST', `/payments/${id}/challenge`, { passed });
    await client.advance(OUTCOME_MS);
    expect(await status(id)).toBe(result);
    expect((await actions(id)).at(-1)).toMatchObject({ response_code: code });
    expect((await client.control('POST', `/payments/${id}/challenge`, { passed })).status).toBe(
      404,
    );
  });
});

describe.skipIf(!hasSchemas)('with the official schemas of ../shared/data', () => {
  it('receipts, actions and details fit', async () => {
    const id = await pay();
    const capture = await client.sdk.payments.capture(id, { amount: 1000, reference: 'c' });
    expect(schemaErrors('CaptureAcceptedResponse', capture)).toEqual([]);
    await client.advance(OUTCOME_MS);
    const refund = await client.sdk.payments.refund(id);
    expect(schemaErrors('RefundAcceptedResponse', refund)).toEqual([]);
    const receipt = await client.sdk.payments.void(await pay());
    expect(schemaErrors('VoidAcceptedResponse', receipt)).toEqual([]);
    expect(schemaErrors('PaymentActionsResponse', await actions(id))).toEqual([]);
    const { balances: _, ...details } = await client.sdk.payments.get(id);
    expect(schemaErrors('PaymentDetails', details)).toEqual([]);
  });
});
