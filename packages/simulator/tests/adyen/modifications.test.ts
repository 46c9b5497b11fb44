import { beforeAll, describe, expect, it } from 'vitest';
import { useSimulator } from '../checkout-com/stand-in.ts';
import { adyenSchemaErrors, hasAdyenSchemas } from './schemas.ts';
import {
  type AdyenClient,
  adyenErrorOf,
  createAdyenClient,
  createAdyenPayment,
} from './stand-in.ts';

const simulator = useSimulator();
let client: AdyenClient;
beforeAll(async () => {
  client = await createAdyenClient(simulator.url);
});

const amountOf = (value: number, currency = 'EUR') => ({ value, currency });

/** Psp reference of a new approval. */
async function authorise(changes: Parameters<typeof createAdyenPayment>[1] = {}): Promise<string> {
  const payment = await client.sdk.PaymentsApi.payments(
    createAdyenPayment(client, changes) as never,
  );
  return String(payment.pspReference);
}

const modify = () => client.sdk.ModificationsApi;
const capture = (psp: string, value: number, currency = 'EUR') =>
  modify().captureAuthorisedPayment(psp, {
    merchantAccount: client.account,
    amount: amountOf(value, currency),
    reference: `capture-${value}`,
  });
const refund = (psp: string, value: number) =>
  modify().refundCapturedPayment(psp, {
    merchantAccount: client.account,
    amount: amountOf(value),
    reference: `refund-${value}`,
  });
const cancel = (psp: string) =>
  modify().cancelAuthorisedPaymentByPspReference(psp, { merchantAccount: client.account });
const reverse = (psp: string) =>
  modify().refundOrCancelPayment(psp, { merchantAccount: client.account });
const cancelReference = (paymentReference: string) =>
  modify().cancelAuthorisedPayment({ merchantAccount: client.account, paymentReference });
/** States of a payment's modifications, oldest first. */
const statesOf = async (psp: string): Promise<string[]> =>
  ((await client.read(psp)).modifications as { state: string }[]).map(({ state }) => state);

describe('modifications by the official SDK', () => {
  it('get a receipt with a psp reference of its own', async () => {
    const psp = await authorise();
    const receipt = await capture(psp, 2499);
    expect(receipt).toMatchObject({
      merchantAccount: client.account,
      paymentPspReference: psp,
      pspReference: expect.stringMatching(/^[A-Z0-9]{16}$/),
      reference: 'capture-2499',
      status: 'received',
      amount: amountOf(2499),
    });
    expect(receipt.pspReference).not.toBe(psp);
    expect(await client.read(psp)).toMatchObject({ captured: 2499 });
  });

  it('refund what is captured, and no more', async () => {
    const psp = await authorise();
    await refund(psp, 1);
    await capture(psp, 2000);
    await refund(psp, 1500);
    expect(await refund(psp, 501)).toMatchObject({ status: 'received' });
    await refund(psp, 500);
    expect(await statesOf(psp)).toEqual([
      'refused',
      'succeeded',
      'succeeded',
      'refused',
      'succeeded',
    ]);
    expect(await client.read(psp)).toMatchObject({ captured: 2000, refunded: 2000 });
  });

  it('cancel what is not captured', async () => {
    const [open, captured] = [await authorise(), await authorise()];
    await cancel(open);
    await capture(captured, 1);
    await cancel(captured);
    expect(await client.read(open)).toMatchObject({ status: 'cancelled' });
    expect(await client.read(captured)).toMatchObject({ status: 'authorised' });
    await capture(open, 1);
    expect(await statesOf(open)).toEqual(['succeeded', 'refused']);
  });

  it('reverse by a cancellation or by a refund', async () => {
    const [open, captured] = [await authorise(), await authorise()];
    await reverse(open);
    expect(await client.read(open)).toMatchObject({ status: 'cancelled', refunded: 0 });
    await capture(captured, 2499);
    await reverse(captured);
    expect(await client.read(captured)).toMatchObject({ status: 'authorised', refunded: 2499 });
    await reverse(captured);
    expect(await statesOf(captured)).toEqual(['succeeded', 'succeeded', 'refused']);
  });

  it("cancel all payments of a merchant's reference, also of an unknown one", async () => {
    const reference = 'to-cancel';
    const psps = [await authorise({ reference }), await authorise({ reference })];
    const receipt = await cancelReference(reference);
    expect(receipt).toMatchObject({ paymentReference: reference, status: 'received' });
    for (const psp of psps) expect(await client.read(psp)).toMatchObject({ status: 'cancelled' });
    expect(await cancelReference('never-seen')).toMatchObject({ status: 'received' });
  });

  it('of an unknown payment get 422', async () => {
    const other = await createAdyenClient(simulator.url);
    const foreign = await other.sdk.PaymentsApi.payments(createAdyenPayment(other) as never);
    for (const psp of ['ABCDEFGH12345678', String(foreign.pspReference)]) {
      const error = await adyenErrorOf(capture(psp, 1));
      expect(error).toMatchObject({ statusCode: 422, errorCode: '167' });
    }
  });
});

describe('captures', () => {
  it('of a part release the rest, unless the account captures several times', async () => {
    const once = await authorise();
    await capture(once, 1000);
    await capture(once, 1000);
    expect(await statesOf(once)).toEqual(['succeeded', 'refused']);
    await client.configure({ several_captures: true });
    const often = await authorise();
    for (const value of [1000, 1499, 1]) await capture(often, value);
    expect(await statesOf(often)).toEqual(['succeeded', 'succeeded', 'refused']);
    await reverse(often);
    expect(await client.read(often)).toMatchObject({ refunded: 0 });
    await client.configure();
  });

  it('in another currency or above the approval are refused later', async () => {
    const psp = await authorise();
    await capture(psp, 2500);
    await capture(psp, 2499, 'USD');
    expect(await statesOf(psp)).toEqual(['refused', 'refused']);
  });

  it("and refunds keep the outcomes of Florin's sandbox amounts", async () => {
    const psp = await authorise({ amount: amountOf(29_707) });
    await capture(psp, 9707);
    await capture(psp, 29_706);
    await refund(psp, 9705);
    expect(await statesOf(psp)).toEqual(['refused', 'succeeded', 'refused']);
  });

  it('count amounts in the units of the processor', async () => {
    const psp = await authorise({ amount: amountOf(970_700, 'ISK') });
    await capture(psp, 970_700, 'ISK');
    expect(await statesOf(psp)).toEqual(['refused']);
  });

  it('follow by themselves without manual capture', async () => {
    const psp = await authorise({ additionalData: {} });
    expect(await client.read(psp)).toMatchObject({ captured: 2499 });
    const later = await authorise({ additionalData: {}, captureDelayHours: 2 });
    expect(await client.read(later)).toMatchObject({ captured: 0 });
    await client.advance(2 * 60 * 60_000);
    expect(await client.read(later)).toMatchObject({ captured: 2499 });
  });
});

describe('outcomes', () => {
  it('come after the delay of the account, in the order of time', async () => {
    await client.configure({ outcome_delay_ms: 60_000 });
    const psp = await authorise();
    await capture(psp, 2499);
    await refund(psp, 2499);
    expect(await statesOf(psp)).toEqual(['pending', 'pending']);
    await client.advance(60_001);
    expect(await statesOf(psp)).toEqual(['succeeded', 'succeeded']);
    await client.configure();
  });

  it('that succeeded may fail later', async () => {
    const psp = await authorise({ paymentMethod: { holderName: 'capture failed' } });
    await capture(psp, 2499);
    expect(await client.read(psp)).toMatchObject({ captured: 2499 });
    await client.advance(25 * 60 * 60_000);
    expect(await client.read(psp)).toMatchObject({ captured: 0 });
    expect(await statesOf(psp)).toEqual(['failed']);
  });

  it('are impossible once the approval is over', async () => {
    const psp = await authorise();
    await client.advance(29 * 24 * 60 * 60_000);
    await capture(psp, 1);
    expect(await client.read(psp)).toMatchObject({ status: 'expired' });
    expect(await statesOf(psp)).toEqual(['refused']);
  });

  it('never come after a receipt without effect', async () => {
    const psp = await authorise();
    await client.control('POST', '/faults', { kind: 'without_effect', path: '/captures' });
    expect(await capture(psp, 2499)).toMatchObject({ status: 'received' });
    expect(await statesOf(psp)).toEqual([]);
  });
});

describe('requests', () => {
  const sendTo = (path: string, body: object) =>
    client.send(path, { merchantAccount: client.account, ...body });

  it.each([
    ['captures', {}, '100'],
    ['captures', { amount: amountOf(0) }, '137'],
    ['cancels', { amount: amountOf(1) }, '702'],
    ['refunds', { amount: amountOf(1), merchantRefundReason: 'CUSTOMER' }, '702'],
    ['reversals', { reference: 'r'.repeat(81) }, '702'],
  ])('for %s with faults are refused %#', async (part, body, errorCode) => {
    const response = await sendTo(`/payments/${await authorise()}/${part}`, body);
    expect(await response.json()).toMatchObject({ errorCode });
  });

  it('to cancel by reference need one', async () => {
    expect((await sendTo('/cancels', {})).status).toBe(422);
  });
});

describe.skipIf(!hasAdyenSchemas)('with the official schemas of ../shared/data', () => {
  it('receipts fit', async () => {
    const psp = await authorise();
    const merchantAccount = client.account;
    for (const [path, body, schema] of [
      ['captures', { amount: amountOf(2499) }, 'PaymentCaptureResponse'],
      ['refunds', { amount: amountOf(1), merchantRefundReason: 'OTHER' }, 'PaymentRefundResponse'],
      ['cancels', { reference: 'c' }, 'PaymentCancelResponse'],
      ['reversals', {}, 'PaymentReversalResponse'],
    ] as const) {
      const response = await client.send(`/payments/${psp}/${path}`, { merchantAccount, ...body });
      expect(adyenSchemaErrors('checkout', schema, await response.json())).toEqual([]);
    }
    const response = await client.send('/cancels', { merchantAccount, paymentReference: 'x' });
    const receipt = await response.json();
    expect(adyenSchemaErrors('checkout', 'StandalonePaymentCancelResponse', receipt)).toEqual([]);
  });
});
