import { readFileSync } from 'node:fs';
import { luhnOk } from '@florin/contract/card/luhn.ts';
import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSimulator } from '../../src/app.ts';
import { checkoutCardNumbers } from '../../src/checkout-com/checkout-cards.ts';
import { createDataDir, numberOf } from '../client.ts';
import { hasSchemas, schemaErrors } from './schemas.ts';
import {
  createPaymentRequest,
  createStandInClient,
  DECLINED_CARD,
  errorOf,
  newSecretKey,
  type StandInClient,
  useSimulator,
} from './stand-in.ts';

const simulator = useSimulator();
let client: StandInClient;
beforeAll(async () => {
  client = await createStandInClient(simulator.url);
});

const pay = (changes?: Parameters<typeof createPaymentRequest>[0], key?: string) =>
  client.sdk.payments.request(createPaymentRequest(changes), key) as Promise<
    Record<string, unknown>
  >;
const payByHttp = (changes?: Parameters<typeof createPaymentRequest>[0], headers?: object) =>
  client.send('POST', '/payments', createPaymentRequest(changes), headers);

describe('a payment request by the official SDK', () => {
  it('is approved with 201, and can be read', async () => {
    const payment = await pay({ reference: 'order-1', metadata: { attempt: 'a-1', n: 3 } });
    expect(payment).toMatchObject({
      id: expect.stringMatching(/^pay_[a-z2-7]{26}$/),
      action_id: expect.stringMatching(/^act_[a-z2-7]{26}$/),
      amount: 2499,
      currency: 'EUR',
      approved: true,
      status: 'Authorized',
      response_code: '10000',
      reference: 'order-1',
      scheme_id: expect.stringMatching(/^\d{15}$/),
      source: { type: 'card', scheme: 'Visa', last4: '4242', bin: '424242', cvv_check: 'Y' },
    });
    const details = await client.sdk.payments.get(String(payment.id));
    expect(details).toMatchObject({
      status: 'Authorized',
      approved: true,
      metadata: { attempt: 'a-1', n: 3 },
      balances: { total_authorized: 2499, available_to_capture: 2499, available_to_refund: 0 },
    });
    expect(details).not.toHaveProperty('response_code');
    const [action] = (await client.sdk.payments.getActions(String(payment.id))) as object[];
    expect(action).toMatchObject({
      id: payment.action_id,
      type: 'Authorization',
      approved: true,
      response_code: '10000',
      reference: 'order-1',
    });
  });

  it('is declined with 201', async () => {
    const payment = await pay({ source: { number: DECLINED_CARD } });
    expect(payment).toMatchObject({ approved: false, status: 'Declined', response_code: '20005' });
    expect((await client.sdk.payments.get(String(payment.id))).status).toBe('Declined');
  });

  it('lists payments of a reference, newest first', async () => {
    const ids: unknown[] = [];
    for (const amount of [100, 200, 300]) ids.push((await pay({ amount, reference: 'many' })).id);
    const list = await client.sdk.payments.getPaymentList({ reference: 'many', limit: 2 });
    expect(list).toMatchObject({ total_count: 3, skip: 0, limit: 2 });
    expect(list.data.map(({ id }: { id: string }) => id)).toEqual(ids.reverse().slice(0, 2));
    const nothing = await client.sdk.payments.getPaymentList({ reference: 'unknown' });
    expect(nothing).toMatchObject({ total_count: 0, data: [] });
  });

  it('finds payments in the search later than in the list, with statuses in lower case', async () => {
    await client.configure({ list_delay_ms: 60_000, search_delay_ms: 120_000 });
    const { id } = await pay({ reference: 'late' });
    const list = async () =>
      (await client.sdk.payments.getPaymentList({ reference: 'late' })).data.length;
    const search = async () =>
      (await client.sdk.payments.search({ query: "reference:'late'" })) as { data: object[] };
    expect([await list(), (await search()).data.length]).toEqual([0, 0]);
    expect(await client.sdk.payments.get(String(id))).toMatchObject({ status: 'Authorized' });
    await client.advance(61_000);
    expect([await list(), (await search()).data.length]).toEqual([1, 0]);
    await client.advance(60_000);
    expect((await search()).data).toMatchObject([{ id, status: 'authorized' }]);
    await client.configure();
  });
});

describe.skipIf(!hasSchemas)('with the official schemas of ../shared/data', () => {
  it('responses fit', async () => {
    for (const changes of [{}, { source: { number: DECLINED_CARD } }, { amount: 0 }]) {
      const response = await payByHttp(changes);
      const payment = (await response.json()) as { id: string };
      expect(schemaErrors('PaymentResponse', payment)).toEqual([]);
      const details = await (await client.send('GET', `/payments/${payment.id}`)).json();
      // The schema requires an `id` in balances, which the service does not send.
      const { balances, ...others } = details as { balances: object };
      expect(balances).toBeInstanceOf(Object);
      expect(schemaErrors('PaymentDetails', others)).toEqual([]);
      const actions = await (await client.send('GET', `/payments/${payment.id}/actions`)).json();
      expect(schemaErrors('PaymentActionsResponse', actions)).toEqual([]);
    }
    const pending = await (await payByHttp({ '3ds': { enabled: true } })).json();
    expect(schemaErrors('PaymentAcceptedResponse', pending)).toEqual([]);
    const refusal = await (await payByHttp({ currency: 'XXX' })).json();
    expect(schemaErrors('ValidationError', refusal)).toEqual([]);
  });
});

describe('cards', () => {
  it('of Checkout.com have right check digits', () => {
    expect(checkoutCardNumbers.filter((number) => !luhnOk(number))).toEqual([]);
  });

  it.each([
    ['4544249167673670', '20051'],
    ['4276038578596818', '2005C'],
    ['4734868958733862', '200N7'],
    ['4941202060999329', '30041'],
  ])('of Checkout.com select a response code, also with letters (%#)', async (number, code) => {
    expect(await pay({ source: { number } })).toMatchObject({
      approved: false,
      response_code: code,
    });
  });

  it.each(sandboxCards.map(({ token, number, outcome }) => ({ token, number, outcome })))(
    'of Florin keep their outcome: $token',
    async ({ number, outcome }) => {
      const { approved, response_code } = await pay({ source: { number } });
      expect(approved).toBe(outcome === 'approved');
      const family = /^(10|20|30|40)/.exec(String(response_code))?.[0];
      expect(family === '10').toBe(outcome === 'approved');
    },
  );

  it('without a sandbox outcome are invalid', async () => {
    expect(await pay({ source: { number: '4111111111111111' } })).toMatchObject({
      response_code: '20014',
    });
  });

  it.each([
    [8105, '01'],
    [8205, '02'],
    [8305, '03'],
  ])('with amount %i and CVV 100 get recommendation %s', async (amount, recommendation_code) => {
    expect(await pay({ amount, source: { cvv: '100' } })).toMatchObject({
      approved: false,
      processing: { recommendation_code },
    });
  });

  it('are approved in part only if the request allows it', async () => {
    const source = { number: '5518207720770101', cvv: '153' };
    const partial_authorization = { enabled: true };
    expect(await pay({ source, partial_authorization })).toMatchObject({
      approved: true,
      response_code: '10010',
      amount: 1249,
      amount_requested: 2499,
    });
    expect(await pay({ source })).toMatchObject({ approved: false, response_code: '20051' });
  });

  it('report checks of address and CVV, which are absent without input', async () => {
    const billing_address = { address_line1: 'Test_AE3', country: 'GB' };
    const checked = (await pay({ source: { billing_address } })).source;
    expect(checked).toMatchObject({ avs_check: 'AE3', cvv_check: 'Y' });
    const unchecked = (await pay({ source: { cvv: undefined } })).source;
    expect(unchecked).not.toHaveProperty('avs_check');
    expect(unchecked).not.toHaveProperty('cvv_check');
  });

  it.each([
    ['postal_code_mismatch', { avs_check: 'A', cvv_check: 'Y' }],
    ['address_mismatch', { avs_check: 'Z', cvv_check: 'Y' }],
    ['cvc_mismatch', { avs_check: 'Y', cvv_check: 'D' }],
  ])('of Florin for %s are approved with that result', async (card, source) => {
    const billing_address = { address_line1: '1 High Street', country: 'GB' };
    const number = numberOf(`pan_test_${card}`);
    expect(await pay({ source: { number, billing_address } })).toMatchObject({
      approved: true,
      source,
    });
  });

  it('with amount 0 are verified', async () => {
    expect(await pay({ amount: 0 })).toMatchObject({ status: 'Card Verified', approved: true });
  });
});

describe('3-D Secure', () => {
  const softDecline = { number: '4500622868341387' };

  it('a soft decline becomes a hosted challenge unless the request forbids it', async () => {
    const upgraded = await payByHttp({ source: softDecline, '3ds': undefined });
    expect(upgraded.status).toBe(202);
    expect(await upgraded.json()).toMatchObject({
      status: 'Pending',
      '3ds': { upgrade_reason: 'sca_retry' },
      _links: { redirect: { href: expect.stringContaining('/3ds/pay_') } },
    });
    expect(await pay({ source: softDecline })).toMatchObject({
      status: 'Declined',
      response_code: '20154',
    });
  });

  it('`enabled` without a cryptogram starts a hosted challenge, with one does not', async () => {
    expect(await pay({ '3ds': { enabled: true } })).toMatchObject({
      status: 'Pending',
      requiresRedirect: true,
    });
    const threeds = { enabled: true, eci: '05', cryptogram: 'AAAB', version: '2.2.0' };
    expect(await pay({ '3ds': threeds })).toMatchObject({ status: 'Authorized', eci: '05' });
  });

  it("a cryptogram of another purchase is declined for Florin's cards", async () => {
    const number = sandboxCards[0]?.number;
    const threeds = { enabled: true, eci: '05', cryptogram: 'AAAB', xid: 'x' };
    expect(await pay({ source: { number }, '3ds': threeds })).toMatchObject({
      response_code: '20005',
    });
  });
});

describe('a merchant-initiated payment', () => {
  const later = { payment_type: 'Unscheduled', merchant_initiated: true, '3ds': undefined };

  it('needs an earlier payment, or the transaction id of a scheme', async () => {
    const { id } = await pay();
    expect(await pay({ ...later, previous_payment_id: id })).toMatchObject({ approved: true });
    expect(await pay({ ...later, previous_payment_id: '012345678901234' })).toMatchObject({
      approved: true,
    });
    expect(await pay({ ...later, previous_payment_id: '?' })).toMatchObject({
      response_code: '20033',
    });
    const unknown = { ...later, previous_payment_id: `pay_${'a'.repeat(26)}` };
    expect((await errorOf(pay(unknown))).body.error_codes).toEqual(['previous_payment_id_invalid']);
  });
});

describe('refusals', () => {
  it.each([
    [{ currency: 'XXX' }, 'currency_invalid'],
    [{ currency: undefined }, 'currency_required'],
    [{ amount: 1_234_567_890 }, 'amount_invalid'],
    [{ amount: -1 }, 'amount_invalid'],
    [{ amount: '12.5' }, 'amount_invalid'],
    [{ currency: 'BHD', amount: 1001 }, 'amount_invalid'],
    [{ currency: 'CLP', amount: 150 }, 'amount_invalid'],
    [{ reference: 'r'.repeat(81) }, 'reference_invalid'],
    [{ source: { number: '345678901234564' }, reference: 'r'.repeat(31) }, 'reference_invalid'],
    [{ source: { number: '4242424242424241' } }, 'card_number_invalid'],
    [{ source: { number: undefined } }, 'card_number_required'],
    [{ source: { expiry_month: 13 } }, 'card_expiry_month_invalid'],
    [{ source: { expiry_year: '35' } }, 'card_expiry_year_invalid'],
    [{ source: { cvv: '12' } }, 'cvv_invalid'],
    [{ source: { billing_address: { country: 'UK ' } } }, 'address_country_invalid'],
    [{ payment_type: 'regular' }, 'payment_type_invalid'],
    [{ merchant_initiated: true }, 'payment_type_invalid'],
    [{ metadata: { nested: {} } }, 'metadata_invalid'],
  ])('422 names the fault %#', async (changes, code) => {
    const response = await payByHttp(changes);
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({
      request_id: expect.any(String),
      error_type: 'request_invalid',
      error_codes: [code],
    });
  });

  it('an expired card is a processing error', async () => {
    const error = await errorOf(pay({ source: { expiry_year: 2020 } }));
    expect(error).toMatchObject({
      http_code: 422,
      body: { error_type: 'processing_error', error_codes: ['card_expired'] },
    });
  });

  it('amounts and expiry may be numbers or text', async () => {
    const source = { expiry_month: 6, expiry_year: 2035 };
    expect(await pay({ source, amount: 700 })).toMatchObject({ approved: true, amount: 700 });
    const response = await payByHttp({ amount: '700' });
    expect(await response.json()).toMatchObject({ approved: true, amount: 700 });
  });

  it('a wrong key gets 401 with an empty body, and so does a key without Bearer', async () => {
    for (const authorization of [undefined, client.secretKey, `Bearer ${newSecretKey()}`]) {
      const headers = authorization === undefined ? {} : { authorization };
      const response = await fetch(`${client.url}/payments/pay_x`, { headers });
      expect([response.status, await response.text()]).toEqual([401, '']);
    }
  });

  it('a refused key gets 401 with an empty body', async () => {
    await client.control('POST', '/refused-keys', { account: client.channel });
    const refused = await payByHttp({});
    expect([refused.status, await refused.text()]).toEqual([401, '']);
    await client.control('DELETE', '/refused-keys');
    expect(await pay({})).toMatchObject({ approved: true });
  });

  it('an unknown payment gets 404 with an empty body', async () => {
    const response = await client.send('GET', '/payments/pay_unknown');
    expect([response.status, await response.text()]).toEqual([404, '']);
  });

  it('an account never sees payments of another', async () => {
    const { id } = await pay({ reference: 'private' });
    const other = await createStandInClient(simulator.url);
    expect((await errorOf(other.sdk.payments.get(String(id)))).http_code).toBe(404);
    const list = await other.sdk.payments.getPaymentList({ reference: 'private' });
    expect(list.data).toEqual([]);
  });

  it('a body that is not JSON gets 400', async () => {
    expect((await client.send('POST', '/payments', '{"amount":')).status).toBe(400);
    expect((await client.send('POST', '/payments', '[]')).status).toBe(400);
  });

  it('an account without full card details gets 403', async () => {
    await client.configure({ full_card_details: false });
    expect((await errorOf(pay())).http_code).toBe(403);
    await client.configure();
  });

  it('a key of two channels needs the channel', async () => {
    const second = await createStandInClient(simulator.url, {}, client.secretKey);
    expect((await errorOf(pay())).body.error_codes).toEqual(['processing_channel_id_required']);
    const { id } = await pay({ processing_channel_id: second.channel });
    expect(await client.sdk.payments.get(String(id))).toMatchObject({ approved: true });
    const wrong = await errorOf(pay({ processing_channel_id: 'pc_other' }));
    expect(wrong.body.error_codes).toEqual(['processing_channel_id_invalid']);
    client = await createStandInClient(simulator.url);
  });
});

describe('idempotency keys', () => {
  const listed = async (reference: string) =>
    (await client.sdk.payments.getPaymentList({ reference })).total_count;

  it('keep the first response, also a decline, even for another body', async () => {
    const source = { number: DECLINED_CARD };
    const first = await pay({ reference: 'kept', source }, 'key-1');
    expect(await pay({ reference: 'kept', source }, 'key-1')).toEqual(first);
    expect(await pay({ reference: 'kept', amount: 1 }, 'key-1')).toEqual(first);
    expect(await listed('kept')).toBe(1);
  });

  it('do not keep refusals', async () => {
    await errorOf(pay({ reference: 'fresh', currency: 'BHD', amount: 1 }, 'key-2'));
    expect(await pay({ reference: 'fresh' }, 'key-2')).toMatchObject({ approved: true });
  });

  it('are forgotten after the window', async () => {
    const first = await pay({ reference: 'window' }, 'key-3');
    await client.advance(24 * 60 * 60_000 + 1000);
    expect((await pay({ reference: 'window' }, 'key-3')).id).not.toBe(first.id);
    expect(await listed('window')).toBe(2);
  });

  it('of a request in flight get 429', async () => {
    const headers = { 'cko-idempotency-key': 'key-4' };
    const twins = await Promise.all(
      [1, 2, 3, 4].map(() => payByHttp({ reference: 'twin' }, headers)),
    );
    const statuses = twins.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(0);
    expect(statuses.filter((status) => ![201, 429].includes(status))).toEqual([]);
    expect(await listed('twin')).toBe(1);
  });
});

describe('the books', () => {
  it('survive a restart, and hold no card number, CVV or cryptogram', async () => {
    const dataDir = createDataDir();
    const secretKey = newSecretKey();
    const cryptogram = 'Q3J5cHRvZ3JhbU9mVGhpc1Rlc3Q=';
    const number = '5305484748800098';
    const firstRun = await createSimulator({ dataDir, port: 0 });
    const first = await createStandInClient(firstRun.url, {}, secretKey);
    const payment = (await first.sdk.payments.request(
      createPaymentRequest({
        source: { number, cvv: '7531' },
        '3ds': { enabled: true, cryptogram },
      }),
      'key',
    )) as { id: string };
    await firstRun[Symbol.asyncDispose]();
    const bytes = readFileSync(`${dataDir}/checkout-com.sqlite`, 'latin1');
    for (const secret of [number, '7531', cryptogram, secretKey])
      expect(bytes.includes(secret)).toBe(false);
    expect(bytes.includes(payment.id)).toBe(true);
    await using secondRun = await createSimulator({ dataDir, port: 0 });
    const second = await createStandInClient(secondRun.url, {}, secretKey);
    expect(await second.send('GET', '/payments/x')).toMatchObject({ status: 404 });
    await expect(first.sdk.payments.get(payment.id)).rejects.toThrow();
    expect(await second.sdk.payments.get(payment.id)).toMatchObject({ approved: true });
  });
});

describe("a merchant's network token", () => {
  const token = {
    type: 'network_token',
    token: '4895370012000003',
    token_type: 'vts',
    expiry_month: 12,
    expiry_year: 2031,
  };
  const cryptogram = 'AgAAAAAABk4DWZ4C28yUQAAAAAA=';

  it.each([
    ['without its cryptogram', token, ['cryptogram_required']],
    [
      'of the other token service',
      { ...token, token_type: 'mdes', cryptogram },
      ['token_type_invalid'],
    ],
  ])('%s is refused', async (_, source, error_codes) => {
    const response = await payByHttp({ source });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ error_codes });
  });

  it('is approved once with each cryptogram', async () => {
    const source = { ...token, cryptogram, eci: '05' };
    const first = await payByHttp({ source });
    const second = await payByHttp({ source });
    expect(await first.json()).toMatchObject({ approved: true });
    expect(await second.json()).toMatchObject({ approved: false });
  });
});
