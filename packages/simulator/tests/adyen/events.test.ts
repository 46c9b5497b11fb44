import { hmacValidator as HmacValidator } from '@adyen/api-library';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { notificationSignatureOf } from '../../src/adyen/events/signature.ts';
import { useSimulator } from '../checkout-com/stand-in.ts';
import { createReceiver, type Received, type Receiver } from '../notifications/receiver.ts';
import { adyenNotificationErrors, hasAdyenSchemas } from './schemas.ts';
import { type AdyenClient, createAdyenClient, createAdyenPayment } from './stand-in.ts';

const KEY = '00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF';
const HOUR_MS = 60 * 60_000;
const simulator = useSimulator();
let receiver: Receiver;
let client: AdyenClient;
beforeEach(async () => {
  receiver = await createReceiver();
  client = await createAdyenClient(simulator.url, {
    webhook_url: receiver.url,
    webhook_hmac_key: KEY,
    webhook_username: 'florin',
    webhook_password: 'secret',
  });
});
afterEach(async () => {
  await client.control('DELETE', '/notification-faults');
  await client.configure({ webhook_url: undefined });
  await receiver[Symbol.asyncDispose]();
});

interface Item {
  readonly pspReference: string;
  readonly originalReference?: string;
  readonly merchantReference: string;
  readonly eventCode: string;
  readonly success: string;
  readonly reason?: string;
  readonly amount: { readonly value: number; readonly currency: string };
  readonly additionalData: Readonly<Record<string, string>>;
}

const itemOf = ({ body }: Received): Item =>
  JSON.parse(body).notificationItems[0].NotificationRequestItem as Item;
const items = async (count: number): Promise<Item[]> => (await receiver.arrived(count)).map(itemOf);
/** Codes and success of the first notifications, such as `CAPTURE true`. */
const told = async (count: number): Promise<string[]> =>
  (await items(count)).map(({ eventCode, success }) => `${eventCode} ${success}`);
const last = async (count: number): Promise<Item> => (await items(count))[count - 1] as Item;
const isSigned = (item: Item): boolean => new HmacValidator().validateHMAC(item as never, KEY);
const addFault = (fault: object) => client.control('POST', '/notification-faults', fault);

async function pay(changes?: Parameters<typeof createAdyenPayment>[1]): Promise<string> {
  const request = createAdyenPayment(client, changes);
  return String((await client.sdk.PaymentsApi.payments(request as never)).pspReference);
}

/** Sends a modification and returns its psp reference. */
async function modify(path: string, body: object = {}): Promise<string> {
  const response = await client.send(path, { merchantAccount: client.account, ...body });
  return ((await response.json()) as { pspReference: string }).pspReference;
}

const capture = (psp: string, value = 2499, reference = 'capture-1') =>
  modify(`/payments/${psp}/captures`, { amount: { value, currency: 'EUR' }, reference });
const dispute = async (psp: string, body: object = {}): Promise<string> => {
  const response = await client.control('POST', `/payments/${psp}/disputes`, body);
  return ((await response.json()) as { psp: string }).psp;
};
const advance = (psp: string, event: string, status?: string) =>
  client.control('POST', `/disputes/${psp}/events`, { event, status });

describe('the signature', () => {
  const base = {
    merchantAccountCode: 'FlorinTest_ECOM',
    merchantReference: '0198f0c2-7d3a-7c11-9b52-3a1f6a5e0d42',
    amount: { value: 2599, currency: 'EUR' },
  };

  it('covers eight values, as in the known vectors', () => {
    const payment = {
      ...base,
      pspReference: 'QFQTPCQ8HXSKGK82',
      eventCode: 'AUTHORISATION',
      success: 'true',
    } as const;
    expect(notificationSignatureOf(payment, KEY)).toBe(
      'YK5wJd2DLIVggi0aopwC1UFss19Nk1OyyqrA9j/BAcU=',
    );
    const cancellation = {
      ...base,
      pspReference: '8515208516304269',
      originalReference: 'QFQTPCQ8HXSKGK82',
      eventCode: 'TECHNICAL_CANCEL',
      success: 'false',
    } as const;
    expect(notificationSignatureOf(cancellation, KEY)).toBe(
      '1W2WmVvmh64r4XX1CtQ+2lC904TX6ZQQS+xSwEdWN+A=',
    );
  });

  it("is valid for the official SDK's validator, with and without an original", async () => {
    await capture(await pay({ reference: 'Zürich-1' }));
    const both = await items(2);
    expect(both.map(isSigned)).toEqual([true, true]);
    const changed = { ...both[0], amount: { value: 1, currency: 'EUR' } } as Item;
    expect(isSigned(changed)).toBe(false);
    const { body, headers } = receiver.received[0] as Received;
    expect(headers.authorization).toBe(`Basic ${btoa('florin:secret')}`);
    expect(JSON.parse(body)).toMatchObject({ live: 'false', notificationItems: [{}] });
  });
});

describe('notifications of payments', () => {
  it('report an approval with its code and card', async () => {
    const psp = await pay({ reference: 'order-9' });
    expect(await last(1)).toMatchObject({
      pspReference: psp,
      merchantReference: 'order-9',
      eventCode: 'AUTHORISATION',
      success: 'true',
      amount: { value: 2499, currency: 'EUR' },
      reason: expect.stringMatching(/^[A-Z0-9]{6}:1111:3\/2035$/),
      operations: ['CANCEL', 'CAPTURE', 'REFUND'],
      additionalData: { authCode: expect.any(String), networkTxReference: expect.any(String) },
    });
  });

  it.each(['DECLINED', 'ERROR', 'FRAUD_CANCELLED'])('report %s without success', async (name) => {
    await pay({ paymentMethod: { holderName: name } });
    expect(await told(1)).toEqual(['AUTHORISATION false']);
  });

  it('report the outcome of a payment that waited, once', async () => {
    await pay({ paymentMethod: { holderName: 'PENDING' } });
    await client.advance(61_000);
    await pay({ reference: 'second' });
    expect(await told(2)).toEqual(['AUTHORISATION true', 'AUTHORISATION true']);
    expect((await last(2)).merchantReference).toBe('second');
  });

  it('report nothing while the customer is asked', async () => {
    await pay({ authenticationData: { attemptAuthentication: 'always' } });
    await pay({ reference: 'next' });
    expect((await last(1)).merchantReference).toBe('next');
  });

  it('report a payment whose response was an error', async () => {
    const additionalData = {
      manualCapture: 'true',
      RequestedTestErrorResponseCode: 'IOEXCEPTION_RECEIVED',
    };
    await client.send('/payments', createAdyenPayment(client, { additionalData }));
    expect(await told(1)).toEqual(['AUTHORISATION true']);
  });

  it('report the end of an approval with the rest', async () => {
    await client.configure({ several_captures: true });
    await capture(await pay(), 1000);
    await client.advance(29 * 24 * HOUR_MS);
    expect(await last(3)).toMatchObject({ eventCode: 'EXPIRE', amount: { value: 1499 } });
  });
});

describe('notifications of modifications', () => {
  it('name the receipt, the payment and the own reference', async () => {
    const psp = await pay();
    const captured = await capture(psp, 2000, 'my-capture');
    expect(await last(2)).toMatchObject({
      eventCode: 'CAPTURE',
      success: 'true',
      pspReference: captured,
      originalReference: psp,
      merchantReference: 'my-capture',
      amount: { value: 2000, currency: 'EUR' },
    });
    await modify(`/payments/${psp}/refunds`, { amount: { value: 2001, currency: 'EUR' } });
    expect(await last(3)).toMatchObject({
      eventCode: 'REFUND',
      success: 'false',
      merchantReference: '',
      reason: 'Insufficient balance on payment',
    });
  });

  it('report a later failure as a success with the same psp reference', async () => {
    const captured = await capture(await pay({ paymentMethod: { holderName: 'capture failed' } }));
    await client.advance(25 * HOUR_MS);
    expect(await told(3)).toEqual(['AUTHORISATION true', 'CAPTURE true', 'CAPTURE_FAILED true']);
    expect((await last(3)).pspReference).toBe(captured);
  });

  it('report no automatic capture', async () => {
    const psp = await pay({ additionalData: {} });
    await modify(`/payments/${psp}/refunds`, { amount: { value: 1, currency: 'EUR' } });
    expect(await told(2)).toEqual(['AUTHORISATION true', 'REFUND true']);
  });

  it('report cancellations, and the action of a reversal', async () => {
    const [one, other, third] = [await pay(), await pay(), await pay()];
    await modify(`/payments/${one}/cancels`);
    await modify(`/payments/${other}/reversals`);
    await capture(third);
    await modify(`/payments/${third}/reversals`);
    const [cancelled, reversed, , refunded] = (await items(7)).slice(3);
    expect(cancelled).toMatchObject({ eventCode: 'CANCELLATION', originalReference: one });
    expect(reversed).toMatchObject({
      eventCode: 'CANCEL_OR_REFUND',
      additionalData: { 'modification.action': 'cancel' },
    });
    expect(refunded).toMatchObject({ additionalData: { 'modification.action': 'refund' } });
  });

  it('report cancellations by reference, also of unknown and captured payments', async () => {
    const psp = await pay({ reference: 'by-reference' });
    await modify('/cancels', { paymentReference: 'by-reference', reference: 'mine' });
    await modify('/cancels', { paymentReference: 'never-seen' });
    await capture(await pay({ reference: 'captured' }));
    await modify('/cancels', { paymentReference: 'captured' });
    const all = await items(6);
    const cancels = all.filter(({ eventCode }) => eventCode === 'TECHNICAL_CANCEL');
    expect(cancels.map(({ success }) => success)).toEqual(['true', 'false', 'false']);
    expect(cancels[0]).toMatchObject({
      originalReference: psp,
      merchantReference: 'by-reference',
    });
    expect(cancels[1]).not.toHaveProperty('originalReference');
    expect(all.map(isSigned)).not.toContain(false);
  });
});

describe('events that no request causes', () => {
  const report = (psp: string, body: object) =>
    client.control('POST', `/payments/${psp}/events`, body);

  it.each(['OFFER_CLOSED', 'MANUAL_REVIEW_REJECT'])('report %s of a payment', async (event) => {
    const psp = await pay({ reference: 'reviewed' });
    expect((await report(psp, { event, reason: 'by control' })).status).toBe(204);
    const item = await last(2);
    expect(item).toMatchObject({ eventCode: event, pspReference: psp, reason: 'by control' });
    expect([item.merchantReference, isSigned(item)]).toEqual(['reviewed', true]);
  });

  it('take back the money of a refund', async () => {
    const psp = await pay();
    await capture(psp);
    const refund = await modify(`/payments/${psp}/refunds`, {
      amount: { value: 500, currency: 'EUR' },
      reference: 'refund-1',
    });
    const body = { event: 'REFUNDED_REVERSED', refund };
    expect((await report(psp, body)).status).toBe(204);
    expect(await last(4)).toMatchObject({
      eventCode: 'REFUNDED_REVERSED',
      success: 'true',
      pspReference: refund,
      originalReference: psp,
      merchantReference: 'refund-1',
      amount: { value: 500 },
    });
    expect(await client.read(psp)).toMatchObject({ captured: 2499, refunded: 0 });
    expect((await report(psp, body)).status).toBe(400);
  });

  it('are refused with another code or payment', async () => {
    expect((await report(await pay(), { event: 'CAPTURE' })).status).toBe(400);
    expect((await report('X', { event: 'OFFER_CLOSED' })).status).toBe(404);
  });
});

describe('disputes', () => {
  const captured = async (value = 2499): Promise<string> => {
    const psp = await pay({ amount: { value, currency: 'EUR' }, reference: 'disputed' });
    await capture(psp, value);
    return psp;
  };

  it('opened by control are announced, then charged back', async () => {
    const psp = await captured();
    const disputePsp = await dispute(psp, { amount: 1000 });
    const [announced, chargedBack] = (await items(4)).slice(2);
    for (const item of [announced, chargedBack])
      expect(item).toMatchObject({
        pspReference: disputePsp,
        originalReference: psp,
        merchantReference: 'disputed',
        amount: { value: 1000 },
        additionalData: { chargebackReasonCode: ' 10.4', disputeStatus: 'Undefended' },
      });
    expect(announced?.eventCode).toBe('NOTIFICATION_OF_CHARGEBACK');
    expect(chargedBack?.eventCode).toBe('CHARGEBACK');
  });

  it('go through their stages with one psp reference', async () => {
    const disputePsp = await dispute(await captured());
    await advance(disputePsp, 'CHARGEBACK_REVERSED');
    await advance(disputePsp, 'PREARBITRATION_OPEN');
    await advance(disputePsp, 'PREARBITRATION_LOST');
    await advance(disputePsp, 'SECOND_CHARGEBACK');
    await advance(disputePsp, 'CHARGEBACK_REVERSED', 'Won');
    const later = (await items(9)).slice(4);
    expect(later.map(({ additionalData }) => additionalData.disputeStatus)).toEqual([
      'Pending',
      'Undefended',
      'Lost',
      'Lost',
      'Won',
    ]);
    expect(new Set(later.map(({ pspReference }) => pspReference))).toEqual(new Set([disputePsp]));
  });

  it('leave out the payment of later stages without the setting for it', async () => {
    await client.configure({ dispute_references: false });
    const psp = await captured();
    await advance(await dispute(psp), 'CHARGEBACK_REVERSED');
    const reversed = await last(5);
    expect(reversed.pspReference).toBe(psp);
    expect(reversed).not.toHaveProperty('originalReference');
  });

  it('may begin with other events, and follow a sandbox amount', async () => {
    await dispute(await captured(), { events: ['REQUEST_FOR_INFORMATION'] });
    expect((await last(3)).eventCode).toBe('REQUEST_FOR_INFORMATION');
    await captured(9708);
    expect((await told(7)).slice(3)).toEqual([
      'AUTHORISATION true',
      'CAPTURE true',
      'NOTIFICATION_OF_CHARGEBACK true',
      'CHARGEBACK true',
    ]);
  });

  it('with wrong members are refused', async () => {
    const psp = await captured();
    for (const body of [{ amount: 2500 }, { amount: 0 }, { events: ['CAPTURE'] }]) {
      const response = await client.control('POST', `/payments/${psp}/disputes`, body);
      expect(response.status).toBe(400);
    }
    expect((await advance(await dispute(psp), 'CAPTURE')).status).toBe(400);
    expect((await advance('X', 'CHARGEBACK')).status).toBe(404);
  });
});

describe('delivery', () => {
  it.each([
    ['lost', ['b']],
    ['doubled', ['a', 'a', 'b']],
    ['out_of_order', ['b', 'a']],
  ])('of %s notifications follows the fault', async (kind, expected) => {
    await addFault({ kind, subject: 'a' });
    await pay({ reference: 'a' });
    await pay({ reference: 'b' });
    const references = (await items(expected.length)).map((item) => item.merchantReference);
    expect(references).toEqual(expected);
  });

  it('of late notifications waits', async () => {
    await addFault({ kind: 'late', delay_ms: HOUR_MS, event: 'AUTHORISATION' });
    await pay({ reference: 'late' });
    await pay({ reference: 'next' });
    await receiver.arrived(1);
    await client.advance(HOUR_MS);
    expect((await last(2)).merchantReference).toBe('late');
  });

  it('may come before the response', async () => {
    await addFault({ kind: 'before_answer' });
    const gate = Promise.withResolvers<number>();
    receiver.respond = () => gate.promise;
    let isAnswered = false;
    const payment = pay().then(() => {
      isAnswered = true;
    });
    await receiver.arrived(1);
    expect(isAnswered).toBe(false);
    gate.resolve(202);
    await payment;
  });

  it('of a wrong signature is found by the SDK', async () => {
    await addFault({ kind: 'wrong_signature' });
    await pay();
    expect(isSigned(await last(1))).toBe(false);
  });

  it('is repeated until a 2xx, and then holds back what follows', async () => {
    receiver.respond = () => 500;
    await pay({ reference: 'first' });
    await receiver.arrived(1);
    for (const [count, seconds] of [
      [2, 9],
      [3, 18],
      [4, 27],
    ] as const) {
      await client.advance(seconds * 1000 + 1);
      await receiver.arrived(count);
    }
    await pay({ reference: 'second' });
    receiver.respond = () => 202;
    await client.advance(2 * 60_000);
    const references = (await items(6)).map((item) => item.merchantReference);
    expect(references).toEqual(['first', 'first', 'first', 'first', 'first', 'second']);
  });
});

describe.skipIf(!hasAdyenSchemas)('with the official schemas of ../shared/data', () => {
  it('all notifications fit', async () => {
    const psp = await pay({ storePaymentMethod: true, shopperReference: 'customer-1' });
    await pay({ paymentMethod: { holderName: 'DECLINED' } });
    await modify(`/payments/${await pay()}/cancels`);
    await modify('/cancels', { paymentReference: 'unknown' });
    await capture(psp);
    await modify(`/payments/${psp}/refunds`, { amount: { value: 1, currency: 'EUR' } });
    const stages = ['CHARGEBACK_REVERSED', 'PREARBITRATION_WON', 'SECOND_CHARGEBACK'];
    const disputePsp = await dispute(psp);
    for (const event of [...stages, 'PREARBITRATION_OPEN']) await advance(disputePsp, event);
    await modify(`/payments/${psp}/reversals`);
    const failing = await pay({ paymentMethod: { holderName: 'capture failed' } });
    await capture(failing);
    await client.advance(25 * HOUR_MS);
    await pay();
    await client.advance(29 * 24 * HOUR_MS);
    const received = await receiver.arrived(21);
    for (const notification of received) {
      const { eventCode } = itemOf(notification);
      const errors = adyenNotificationErrors(eventCode, JSON.parse(notification.body));
      expect([eventCode, errors]).toEqual([eventCode, []]);
    }
    expect(new Set(received.map((each) => itemOf(each).eventCode)).size).toBe(15);
  });
});
