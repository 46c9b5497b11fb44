import { readFileSync } from 'node:fs';
import { luhnOk } from '@florin/contract/card/luhn.ts';
import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { adyenCardNumbers } from '../../src/adyen/test-cards.ts';
import { createSimulator } from '../../src/app.ts';
import { cryptogramOf } from '../../src/derive.ts';
import { createWalletCryptogram } from '../../src/wallets/cryptogram.ts';
import { useSimulator } from '../checkout-com/stand-in.ts';
import { createDataDir, numberOf } from '../client.ts';
import { adyenSchemaErrors, hasAdyenSchemas } from './schemas.ts';
import {
  type AdyenClient,
  adyenErrorOf,
  createAdyenClient,
  createAdyenPayment,
  newApiKey,
} from './stand-in.ts';

const simulator = useSimulator();
let client: AdyenClient;
beforeAll(async () => {
  client = await createAdyenClient(simulator.url);
});

type Changes = Parameters<typeof createAdyenPayment>[1];

/** Pays by the official SDK, whose types do not know raw card members of every method. */
const pay = (changes?: Changes, idempotencyKey?: string) =>
  client.sdk.PaymentsApi.payments(
    createAdyenPayment(client, changes) as never,
    idempotencyKey ? { idempotencyKey } : undefined,
  );
const payByHttp = (changes?: Changes, headers?: object) =>
  client.send('/payments', createAdyenPayment(client, changes), headers);
const manualWith = (additionalData: object) => ({
  additionalData: { manualCapture: 'true', ...additionalData },
});

it('the payment methods of an account are cards, by the official SDK', async () => {
  const { account } = client;
  const methods = await client.sdk.PaymentsApi.paymentMethods({ merchantAccount: account });
  expect(methods.paymentMethods).toMatchObject([{ type: 'scheme' }]);
  if (hasAdyenSchemas)
    expect(adyenSchemaErrors('checkout', 'PaymentMethodsResponse', methods)).toEqual([]);
  const other = client.sdk.PaymentsApi.paymentMethods({ merchantAccount: 'Other' });
  expect(await adyenErrorOf(other)).toMatchObject({ statusCode: 403, errorCode: '901' });
});

describe('a payment request by the official SDK', () => {
  it('is authorised with 200', async () => {
    const payment = await pay({ reference: 'first' });
    expect(payment).toMatchObject({
      pspReference: expect.stringMatching(/^[A-Z0-9]{16}$/),
      resultCode: 'Authorised',
      merchantReference: 'first',
      amount: { value: 2499, currency: 'EUR' },
      additionalData: {
        authCode: expect.stringMatching(/^[A-Z0-9]{6}$/),
        cvcResult: '1 Matches',
        avsResult: '5 No AVS data provided',
        networkTxReference: expect.stringMatching(/^\d{15}$/),
        cardSummary: '1111',
        paymentMethod: 'visa',
      },
    });
    expect(payment).not.toHaveProperty('refusalReasonCode');
    expect(await client.read(String(payment.pspReference))).toMatchObject({
      status: 'authorised',
      amount: 2499,
      captured: 0,
    });
  });

  it('is declined by a fault, whatever the card', async () => {
    const fault = { kind: 'decline', outcome: 'stolen_card', method: 'POST', path: '/payments$' };
    expect((await client.control('POST', '/faults', fault)).status).toBe(204);
    expect(await pay()).toMatchObject({
      resultCode: 'Refused',
      additionalData: { refusalReasonRaw: '43 : Stolen card' },
    });
    expect(await pay()).toMatchObject({ resultCode: 'Authorised' });
  });

  it('is refused with 200', async () => {
    const payment = await pay({ paymentMethod: { holderName: 'NOT_ENOUGH_BALANCE' } });
    expect(payment).toMatchObject({
      resultCode: 'Refused',
      refusalReason: 'Not enough balance',
      refusalReasonCode: '12',
    });
    expect(await client.read(String(payment.pspReference))).toMatchObject({ status: 'refused' });
  });

  it('may repeat a reference, which creates another payment', async () => {
    const [one, other] = [await pay({ reference: 'twice' }), await pay({ reference: 'twice' })];
    expect(one.pspReference).not.toBe(other.pspReference);
    const path = `/accounts/${client.account}/payments?reference=twice`;
    const list = await (await client.control('GET', path)).json();
    expect(list).toMatchObject([{ psp: one.pspReference }, { psp: other.pspReference }]);
  });
});

describe.skipIf(!hasAdyenSchemas)('with the official schemas of ../shared/data', () => {
  it('requests and responses fit', async () => {
    for (const changes of [
      {},
      { paymentMethod: { holderName: 'DECLINED' } },
      { paymentMethod: { holderName: 'PENDING' } },
      { amount: { value: 0, currency: 'EUR' } },
      { authenticationData: { attemptAuthentication: 'always' } },
    ]) {
      const request = createAdyenPayment(client, changes);
      expect(adyenSchemaErrors('checkout', 'PaymentRequest', request)).toEqual([]);
      const payment = await (await client.send('/payments', request)).json();
      expect(adyenSchemaErrors('checkout', 'PaymentResponse', payment)).toEqual([]);
    }
    const error = await (await payByHttp({ reference: undefined })).json();
    expect(adyenSchemaErrors('checkout', 'ServiceError', error)).toEqual([]);
  });
});

describe('cards', () => {
  it('of Adyen have right check digits', () => {
    expect(adyenCardNumbers.filter((number) => !luhnOk(number))).toEqual([]);
  });

  it.each(sandboxCards.map(({ token, number, outcome }) => ({ token, number, outcome })))(
    'of Florin keep their outcome: $token',
    async ({ number, outcome }) => {
      const cvc = number.startsWith('37') ? '1234' : '123';
      const { resultCode } = await pay({ paymentMethod: { number, cvc } });
      expect(resultCode).toBe(outcome === 'approved' ? 'Authorised' : 'Refused');
    },
  );

  it.each([
    ['pan_test_insufficient_funds', '12', '51 : Insufficient funds'],
    ['pan_test_lost_card', '5', '41 : Lost card'],
    ['pan_test_incorrect_cvc', '24', 'N7 : CVV2 mismatch'],
    ['pan_test_highest_risk', '20', '59 : Suspected fraud'],
  ])('of Florin have reasons: %s', async (token, refusalReasonCode, refusalReasonRaw) => {
    const number = numberOf(token);
    const cvc = number.startsWith('37') ? '1234' : '123';
    expect(await pay({ paymentMethod: { number, cvc } })).toMatchObject({
      refusalReasonCode,
      additionalData: { refusalReasonRaw },
    });
  });

  it('without a sandbox outcome are invalid', async () => {
    expect(await pay({ paymentMethod: { number: '4242424242424242' } })).toMatchObject({
      refusalReasonCode: '8',
    });
  });

  it.each([
    ['ERROR', 'Error', '4'],
    ['FRAUD_CANCELLED', 'Cancelled', '22'],
    ['CARD_EXPIRED', 'Refused', '6'],
    ['AUTHENTICATION_REQUIRED', 'Refused', '38'],
    ['ERPS_BLOCK', 'Refused', '46'],
  ])('of holder %s are %s', async (holderName, resultCode, refusalReasonCode) => {
    expect(await pay({ paymentMethod: { holderName } })).toMatchObject({
      resultCode,
      refusalReasonCode,
    });
  });

  it('get the result that the additional data ask for', async () => {
    const refused = await pay(manualWith({ RequestedTestAcquirerResponseCode: '5' }));
    expect(refused).toMatchObject({ resultCode: 'Refused', refusalReason: 'Blocked Card' });
  });

  it('with a wrong security code or a past expiry are refused', async () => {
    expect(await pay({ paymentMethod: { cvc: '999' } })).toMatchObject({
      refusalReasonCode: '24',
      additionalData: { cvcResult: "2 Doesn't match" },
    });
    expect(await pay({ paymentMethod: { expiryYear: '2020' } })).toMatchObject({
      refusalReasonCode: '6',
    });
  });

  it('are approved in part only if the request allows it', async () => {
    const paymentMethod = { holderName: 'PARTIALLY_APPROVED' };
    expect(await pay({ paymentMethod })).toMatchObject({ refusalReasonCode: '12' });
    expect(await pay({ paymentMethod, ...manualWith({ allowPartialAuth: 'true' }) })).toMatchObject(
      {
        resultCode: 'PartiallyAuthorised',
        refusalReasonCode: '30',
        additionalData: { authorisedAmountValue: '1249', authorisedAmountCurrency: 'EUR' },
      },
    );
  });

  const address = {
    street: 'Damrak',
    houseNumberOrName: '1',
    postalCode: '1012LG',
    city: 'Amsterdam',
    country: 'NL',
  };
  const testAddress = { ...address, street: 'Test AVS result' };

  it.each([
    ['of an address', address, '7 Both postal code and address match'],
    ['that a test address asks for', testAddress, '1 Test AVS result'],
    ['26 of a test address', { ...testAddress, houseNumberOrName: '26 N' }, '26 Test AVS result'],
    ['of a house 27', { ...testAddress, houseNumberOrName: '27' }, expect.stringMatching(/^7 /)],
  ])('report the check %s', async (_, billingAddress, avsResult) => {
    expect(await pay({ billingAddress })).toMatchObject({ additionalData: { avsResult } });
  });

  it.each([
    ['postal_code_mismatch', { avsResult: expect.stringMatching(/^1 /) }],
    ['address_mismatch', { avsResult: expect.stringMatching(/^6 /) }],
    ['cvc_mismatch', { cvcResult: expect.stringMatching(/^2 /) }],
  ])('of Florin for %s are authorised with that result', async (card, additionalData) => {
    const paymentMethod = { number: numberOf(`pan_test_${card}`) };
    const payment = await pay({ billingAddress: address, paymentMethod });
    expect(payment).toMatchObject({ resultCode: 'Authorised', additionalData });
  });

  it('that wait for a result are authorised later', async () => {
    const payment = await pay({ paymentMethod: { holderName: 'PENDING' } });
    expect(payment.resultCode).toBe('Received');
    const psp = String(payment.pspReference);
    expect(await client.read(psp)).toMatchObject({ status: 'pending' });
    await client.advance(61_000);
    expect(await client.read(psp)).toMatchObject({ status: 'authorised' });
  });
});

describe('3-D Secure', () => {
  const number = numberOf('pan_test_visa');
  const subject = { transactionId: 'ds-1', number, amount: 2499, currency: 'EUR' };
  const mpiData = {
    authenticationResponse: 'Y',
    directoryResponse: 'C',
    eci: '05',
    dsTransID: 'ds-1',
    threeDSVersion: '2.2.0',
  };
  const authenticated = (cavv: string, changes: object = {}) =>
    pay({
      paymentMethod: { number, cvc: '123' },
      authenticationData: undefined,
      mpiData: { ...mpiData, cavv, ...changes },
    });

  it('of another service shifts the liability', async () => {
    expect(await authenticated(cryptogramOf(subject))).toMatchObject({
      resultCode: 'Authorised',
      additionalData: { liabilityShift: 'true', eci: '05', dsTransID: 'ds-1' },
    });
  });

  it('for another amount is refused, and so is a second use', async () => {
    const other = cryptogramOf({ ...subject, amount: 1 });
    expect(await authenticated(other)).toMatchObject({ resultCode: 'Refused' });
    const cavv = cryptogramOf({ ...subject, transactionId: 'ds-2' });
    const once = await authenticated(cavv, { dsTransID: 'ds-2' });
    const again = await authenticated(cavv, { dsTransID: 'ds-2' });
    expect([once.resultCode, again.resultCode]).toEqual(['Authorised', 'Refused']);
  });

  it('by Adyen sends the customer away, and authorises nothing', async () => {
    const payment = await pay({ authenticationData: { attemptAuthentication: 'always' } });
    expect(payment).toMatchObject({
      resultCode: 'RedirectShopper',
      action: { type: 'redirect', url: expect.stringContaining('/threeDS/') },
    });
    expect(payment.pspReference).toBeUndefined();
  });
});

describe('wallets', () => {
  const number = numberOf('pan_test_mastercard');
  const purchase = { number, amount: 2499, currency: 'EUR' };

  it.each([
    ['networkToken', 'tokenAuthenticationVerificationValue', 'applepay'],
    ['scheme', 'cavv', 'googlepay'],
  ])('of type %s need a cryptogram of this purchase in %s', async (type, member, wallet) => {
    const payWith = (cryptogram: string) =>
      pay({
        paymentMethod: { type, number, cvc: undefined },
        mpiData: {
          authenticationResponse: 'Y',
          directoryResponse: 'Y',
          eci: '02',
          [member]: cryptogram,
        },
        ...manualWith({ 'paymentdatasource.type': wallet }),
      });
    const right = await payWith(createWalletCryptogram(purchase));
    const wrong = await payWith(createWalletCryptogram({ ...purchase, amount: 7 }));
    expect([right.resultCode, wrong.resultCode]).toEqual(['Authorised', 'Refused']);
  });
});

describe('a stored card', () => {
  const storing = {
    storePaymentMethod: true,
    shopperReference: 'customer-1',
    recurringProcessingModel: 'CardOnFile',
  };
  const later = {
    shopperReference: 'customer-1',
    shopperInteraction: 'ContAuth',
    recurringProcessingModel: 'Subscription',
    authenticationData: undefined,
  };
  const payStored = (storedPaymentMethodId: string, changes: object = {}) =>
    pay({
      ...later,
      paymentMethod: {
        number: undefined,
        expiryMonth: undefined,
        expiryYear: undefined,
        cvc: undefined,
        holderName: undefined,
        storedPaymentMethodId,
      },
      ...changes,
    });
  const store = async (changes: object = {}): Promise<string> => {
    const { additionalData } = await pay({ ...storing, ...changes });
    return additionalData?.['tokenization.storedPaymentMethodId'] ?? '';
  };

  it('is charged by customer and by merchant', async () => {
    const id = await store();
    expect(await payStored(id)).toMatchObject({ resultCode: 'Authorised' });
    const byCustomer = { shopperInteraction: 'ContAuth', recurringProcessingModel: 'CardOnFile' };
    expect(await payStored(id, byCustomer)).toMatchObject({ resultCode: 'Authorised' });
    expect(await store()).toBe(id);
  });

  it('belongs to its customer', async () => {
    const id = await store();
    const error = await adyenErrorOf(payStored(id, { shopperReference: 'customer-2' }));
    expect(error).toMatchObject({ statusCode: 422, errorCode: '800' });
  });

  it('by number needs the transaction id of an earlier approval', async () => {
    const paymentMethod = { cvc: undefined };
    expect(await pay({ ...later, paymentMethod })).toMatchObject({ refusalReasonCode: '38' });
    const networkPaymentReference = '012345678901234';
    const known = { ...paymentMethod, networkPaymentReference };
    expect(await pay({ ...later, paymentMethod: known })).toMatchObject({
      resultCode: 'Authorised',
    });
    const data = manualWith({ networkTxReference: networkPaymentReference });
    expect(await pay({ ...later, paymentMethod, ...data })).toMatchObject({
      resultCode: 'Authorised',
    });
  });

  it('needs a customer', async () => {
    const error = await adyenErrorOf(pay({ storePaymentMethod: true }));
    expect(error).toMatchObject({ statusCode: 422, errorCode: '000' });
  });
});

describe('refusals', () => {
  it.each([
    [{ amount: undefined }, 422, '100'],
    [{ amount: { value: '2499', currency: 'EUR' } }, 400, '702'],
    [{ amount: { value: -1, currency: 'EUR' } }, 422, '137'],
    [{ amount: { value: 1, currency: 'XXX' } }, 422, '138'],
    [{ reference: undefined }, 422, '130'],
    [{ reference: 'r'.repeat(81) }, 422, '130'],
    [{ returnUrl: undefined }, 422, '14_030'],
    [{ paymentMethod: { number: '4111111111111112' } }, 422, '101'],
    [{ paymentMethod: { number: undefined } }, 422, '101'],
    [{ paymentMethod: { number: '9999999999999995' } }, 422, '102'],
    [{ paymentMethod: { cvc: '7373' } }, 422, '103'],
    [{ paymentMethod: { expiryMonth: '13' } }, 422, '129'],
    [{ paymentMethod: { type: 'applepay' } }, 500, '905'],
    [{ paymentMethod: { secret: 'x' } }, 400, '702'],
    [{ capture: false }, 400, '702'],
    [{ additionalData: { manualCapture: true } }, 400, '702'],
    [{ metadata: { key: 'v'.repeat(81) } }, 422, '177'],
    [{ billingAddress: { city: 'Amsterdam' } }, 422, '132'],
    [{ mpiData: { cavv: 1 } }, 400, '702'],
    [{ merchantAccount: 'FlorinOther' }, 403, '901'],
    [{ merchantAccount: undefined }, 403, '901'],
  ])('have a status and a code %#', async (changes, status, errorCode) => {
    const response = await payByHttp(changes as Changes);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({
      status,
      errorCode,
      message: expect.any(String),
      errorType: expect.stringMatching(/^(validation|security|configuration)$/),
    });
  });

  it('name unknown members', async () => {
    const body = await (await payByHttp({ capture: false, amounts: 1 })).json();
    expect(body).toMatchObject({ message: expect.stringContaining('[capture, amounts]') });
  });

  it('a wrong key gets 401', async () => {
    const headers = { 'x-api-key': newApiKey() };
    expect((await payByHttp({}, headers)).status).toBe(401);
    const wrong = { ...client, sdk: (await createAdyenClient(simulator.url)).sdk };
    const call = wrong.sdk.PaymentsApi.payments(createAdyenPayment(client) as never);
    expect(await adyenErrorOf(call)).toMatchObject({ statusCode: 403, errorCode: '901' });
  });

  it('a refused key gets 401 until faults end or the account is replaced', async () => {
    const other = await createAdyenClient(simulator.url);
    const refuse = () => client.control('POST', '/refused-keys', { account: client.account });
    expect((await refuse()).status).toBe(204);
    const refused = await payByHttp({});
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ errorCode: '000', errorType: 'security' });
    expect((await other.send('/payments', createAdyenPayment(other))).status).toBe(200);
    await client.control('DELETE', '/refused-keys');
    expect((await payByHttp({})).status).toBe(200);
    await refuse();
    await client.configure();
    expect((await payByHttp({})).status).toBe(200);
    const unknown = await client.control('POST', '/refused-keys', { account: 'Nobody' });
    expect(unknown.status).toBe(404);
  });

  it('a body that is not JSON gets 400, another path 404', async () => {
    expect((await client.send('/payments', '{"amount":')).status).toBe(400);
    expect((await client.send('/payments', '[]')).status).toBe(400);
    expect((await client.send('/orders', {})).status).toBe(404);
  });

  it('a key without the role for card numbers gets 403', async () => {
    await client.configure({ raw_cards: false });
    expect(await adyenErrorOf(pay())).toMatchObject({ statusCode: 403, errorCode: '010' });
    await client.configure();
  });
});

describe('idempotency keys', () => {
  const paymentCount = async (): Promise<number> => {
    const response = await client.control('GET', `/accounts/${client.account}/totals`);
    return ((await response.json()) as { payments: number }).payments;
  };
  const send = async (key: string, changes?: Changes) => {
    const response = await payByHttp(changes, { 'idempotency-key': key });
    const { headers, status } = response;
    const [replayed, transient] = ['idempotency-key', 'transient-error'].map((name) =>
      headers.get(name),
    );
    return { status, text: await response.text(), replayed, transient };
  };

  it('keep the first response byte by byte, even for another body', async () => {
    const before = await paymentCount();
    const first = await send('key-1');
    const second = await send('key-1', { amount: { value: 1, currency: 'EUR' } });
    expect(second.text).toBe(first.text);
    expect([first.replayed, second.replayed]).toEqual([null, 'key-1']);
    expect(await paymentCount()).toBe(before + 1);
  });

  it('work through the SDK', async () => {
    const first = await pay({}, 'key-sdk');
    expect((await pay({}, 'key-sdk')).pspReference).toBe(first.pspReference);
  });

  it('keep errors of validation', async () => {
    expect((await send('key-2', { reference: undefined })).status).toBe(422);
    expect((await send('key-2')).status).toBe(422);
  });

  it('are one for all merchant accounts and paths of a company', async () => {
    const second = await createAdyenClient(
      simulator.url,
      { company: client.account },
      client.apiKey,
    );
    const first = await send('key-3');
    const headers = { 'idempotency-key': 'key-3' };
    const body = { merchantAccount: second.account, paymentReference: 'x' };
    expect(await (await second.send('/cancels', body, headers)).text()).toBe(first.text);
  });

  it('do not keep transient errors, which have no effect', async () => {
    const noConnection = manualWith({ RequestedTestErrorResponseCode: 'NO_CONNECTION_AVAILABLE' });
    const before = await paymentCount();
    const first = await send('key-4', noConnection);
    expect(first).toMatchObject({ status: 500, transient: 'true' });
    expect(await paymentCount()).toBe(before);
    expect((await send('key-4')).status).toBe(200);
  });

  it('keep an error whose payment may have arrived', async () => {
    const broken = manualWith({ RequestedTestErrorResponseCode: 'IOEXCEPTION_RECEIVED' });
    const before = await paymentCount();
    expect(await send('key-5', broken)).toMatchObject({ status: 500, transient: null });
    expect((await send('key-5')).status).toBe(500);
    expect(await paymentCount()).toBe(before + 1);
  });

  it('expire after seven days', async () => {
    const first = await send('key-6');
    await client.advance(7 * 24 * 60 * 60_000 + 1);
    expect((await send('key-6')).text).not.toBe(first.text);
  });

  it('of requests in flight get 704', async () => {
    const before = await paymentCount();
    const twins = await Promise.all([1, 2, 3, 4].map(() => send('key-7')));
    const codes = twins.map(({ text }) => (JSON.parse(text) as { errorCode?: string }).errorCode);
    expect(codes.filter((code) => code !== undefined && code !== '704')).toEqual([]);
    expect(await paymentCount()).toBe(before + 1);
  });

  it('get 703 while their store is down', async () => {
    await client.configure({ key_store_down: true });
    expect(await send('key-8')).toMatchObject({ status: 503, transient: 'true' });
    expect((await payByHttp()).status).toBe(200);
    await client.configure();
  });
});

describe('the books', () => {
  it('survive a restart, and hold no card number, security code or cryptogram', async () => {
    const dataDir = createDataDir();
    const apiKey = newApiKey();
    const firstRun = await createSimulator({ dataDir, port: 0 });
    const first = await createAdyenClient(firstRun.url, {}, apiKey);
    const mpiData = { cavv: 'Q3J5cHRvZ3JhbU9mVGhpc1Rlc3Q=', eci: '05', dsTransID: 'd' };
    const payment = (await first.sdk.PaymentsApi.payments(
      createAdyenPayment(first, {
        mpiData,
        storePaymentMethod: true,
        shopperReference: 'customer',
      }) as never,
      { idempotencyKey: 'key' },
    )) as { pspReference: string };
    await firstRun[Symbol.asyncDispose]();
    const bytes = readFileSync(`${dataDir}/adyen.sqlite`, 'latin1');
    for (const secret of ['4111111111111111', mpiData.cavv, apiKey])
      expect(bytes.includes(secret)).toBe(false);
    expect(bytes.includes(payment.pspReference)).toBe(true);
    await using secondRun = await createSimulator({ dataDir, port: 0 });
    const second = await createAdyenClient(secondRun.url, {}, apiKey);
    expect(await second.read(payment.pspReference)).toMatchObject({ status: 'authorised' });
  });
});
