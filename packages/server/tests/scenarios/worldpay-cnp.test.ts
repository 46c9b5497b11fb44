import { afterEach, describe, expect, it } from 'vitest';
import { createClockAhead, passTime } from '../support/clock-ahead.ts';
import {
  eventually,
  makeAuthorisedPayment,
  makeCapture,
  makeDemand,
  makeParties,
  makeRefund,
  waitForOutcome,
} from '../support/make.ts';
import { useCnpStack } from '../support/worldpay-cnp.ts';

const clock = createClockAhead();
const florin = useCnpStack(clock);
passTime(clock);

afterEach(async () => {
  await florin.control('DELETE', '/faults');
  await florin.configure();
});

async function pay(attributes: object = {}, card = 'visa') {
  const parties = await makeParties(florin.client, card);
  const { id } = await makeDemand(florin.client, { confirmed: true, ...attributes }, parties);
  return waitForOutcome(florin.client, id);
}

/** The payments at the stand-in of all attempts of a payment. */
async function standInPayments(payment: { readonly id: string }) {
  const rows = await florin.db.query(
    `select id from attempts where payment_demand_id = $1 and operation = 'authorise'`,
    [payment.id],
  );
  return (await Promise.all(rows.map(({ id }) => florin.paymentsOf(id as string)))).flat();
}

const refundOf = async (payment: Parameters<typeof makeRefund>[1], attributes: object = {}) => {
  const { id } = await makeRefund(florin.client, payment, attributes);
  return eventually(
    () => florin.client.fetch('refund_demands', id),
    ({ attributes: { status } }) => ['succeeded', 'failed'].includes(status),
  );
};

const lose = (transaction: string, kind = 'lose_answer') =>
  florin.control('POST', '/faults', { path: `/${transaction}/`, kind });

describe('a payment through Worldpay’s cnpAPI', () => {
  it('is one sale, with its checks, and is refunded in parts', async () => {
    const payment = await pay({ amount_cents: 5_000 });
    expect(payment.attributes).toMatchObject({
      status: 'succeeded',
      amount_captured_cents: 5_000,
      cvc2_check: 'match',
    });
    expect((await refundOf(payment, { amount_cents: 2_000 })).attributes.status).toBe('succeeded');
    expect((await refundOf(payment)).attributes.status).toBe('succeeded');
    expect(await standInPayments(payment)).toMatchObject([
      { type: 'sale', response: '000', captured: 5_000, refunded: 5_000 },
    ]);
  });

  it.each([
    ['insufficient_funds', 'insufficient_funds'],
    ['stolen_card', 'stolen_card'],
    ['generic_decline', 'generic_decline'],
  ])('with the card %s fails', async (card, reason) => {
    const { attributes } = await pay({}, card);
    expect([attributes.status, attributes.failure_reason]).toEqual(['failed', reason]);
  });

  it('is held, captured in part, and refunded by its capture', async () => {
    const held = await makeAuthorisedPayment(florin.client, { amount_cents: 5_000 });
    const first = makeCapture(florin.client, held, { amount_cents: 3_000, final: false });
    await expect(first).rejects.toThrow(/several_captures_unsupported/);
    await makeCapture(florin.client, held, { amount_cents: 3_000 });
    const payment = await waitForOutcome(florin.client, held.id);
    expect(payment.attributes.amount_captured_cents).toBe(3_000);
    expect((await refundOf(payment, { amount_cents: 1_000 })).attributes.status).toBe('succeeded');
    expect(await standInPayments(payment)).toMatchObject([
      { type: 'authorization', captured: 3_000, refunded: 1_000 },
    ]);
  });

  it('is held, and voided', async () => {
    const payment = await makeAuthorisedPayment(florin.client);
    await florin.client.send('PATCH', `/v2/payment_demands/${payment.id}/void`);
    const voided = await waitForOutcome(florin.client, payment.id);
    expect(voided.attributes.status).toBe('canceled');
    expect(await standInPayments(payment)).toMatchObject([{ held: 0, captured: 0 }]);
  });

  it('in another currency than the account’s finds no processor', async () => {
    const parties = await makeParties(florin.client);
    const created = makeDemand(
      florin.client,
      { confirmed: true, amount_currency: 'EUR', amount_cents: 100 },
      parties,
    );
    await expect(created).rejects.toThrow(/no_processor/);
  });
});

describe('an answer that is lost', () => {
  it.each(['lose_answer', 'cut_answer', 'garbage', 'fail_after'])(
    'of a sale (%s) is found by a query, and the card is charged once',
    async (kind) => {
      await lose('sale', kind);
      const payment = await pay();
      expect(payment.attributes.status).toBe('succeeded');
      expect(await standInPayments(payment)).toMatchObject([{ response: '000' }]);
    },
  );

  it('of a decline fails the payment', async () => {
    await lose('sale');
    const { attributes } = await pay({}, 'insufficient_funds');
    expect([attributes.status, attributes.failure_reason]).toEqual([
      'failed',
      'insufficient_funds',
    ]);
  });

  it('of a refund is found by a query, and money moves once', async () => {
    const payment = await pay({ amount_cents: 3_000 });
    await lose('credit');
    expect((await refundOf(payment)).attributes.status).toBe('succeeded');
    expect(await standInPayments(payment)).toMatchObject([{ refunded: 3_000 }]);
  });

  it('of a reversal is not asked for: the repeated message is a duplicate', async () => {
    const payment = await makeAuthorisedPayment(florin.client);
    await lose('authReversal');
    await florin.client.send('PATCH', `/v2/payment_demands/${payment.id}/void`);
    const voided = await waitForOutcome(florin.client, payment.id);
    expect(voided.attributes.status).toBe('canceled');
    expect(await standInPayments(payment)).toMatchObject([{ held: 0 }]);
  });
});

it('a receipt leaves a refund open until a query shows the outcome', async () => {
  const payment = await pay({ amount_cents: 2_000 });
  await florin.configure({ has_receipts: true, receipt_ms: 60_000 });
  const { id } = await makeRefund(florin.client, payment, {});
  const fetchRefund = () => florin.client.fetch('refund_demands', id);
  const open = await eventually(fetchRefund, ({ meta }) => meta?.outcome === 'unknown');
  expect(open.attributes.status).toBe('processing');
  await florin.control('POST', '/clock', { advance_ms: 60_000 });
  await eventually(fetchRefund, ({ attributes }) => attributes.status === 'succeeded');
  expect(await standInPayments(payment)).toMatchObject([{ refunded: 2_000 }]);
});

it('a wrong password is refused by the check, and the account stays disabled', async () => {
  const created = await florin.operator.send('POST', '/processor_accounts', {
    processor: 'worldpay_cnp',
    mode: 'sandbox',
    name: 'Wrong',
    settings: { api_url: florin.api_url, merchant_id: '01183801', currency: 'USD' },
    secrets: { user: 'florin-tests', password: 'wrong-password' },
  });
  const enabled = await florin.operator.send(
    'POST',
    `/processor_accounts/${created.body.data.id}/enable`,
    {},
  );
  expect(enabled.status).toBe(422);
  expect(JSON.stringify(enabled.body)).toContain('the user, the password or the merchant id');
});

it('a refused login is counted and noticed, although the status is 200, until a message is accepted', async () => {
  const notice = async () =>
    (await florin.operator.get(`/processor_accounts/${florin.account}`)).body.data.refused_key;
  const refusedKeys = async () => (await florin.operator.get('/health')).body.refused_keys;
  await florin.control('POST', '/refused-keys', { account: '01183801' });
  const { attributes } = await pay();
  expect([attributes.status, attributes.failure_reason]).toEqual([
    'failed',
    'processor_unreachable',
  ]);
  const metrics = await (await fetch(`${florin.stack.baseUrl}/metrics`)).text();
  expect(metrics).toContain(`florin_processor_refused_keys_total{account="${florin.account}"} 1`);
  const shown = await eventually(notice, (found) => found !== null);
  expect(shown).toMatchObject({ count: 1, last_status: 200, last_code: 'response 3' });
  expect(await refusedKeys()).toMatchObject([{ id: florin.account, since: shown.since }]);
  await florin.control('DELETE', '/refused-keys');
  expect((await pay()).attributes.status).toBe('succeeded');
  expect(await eventually(notice, (found) => found === null)).toBeNull();
  expect(await refusedKeys()).toEqual([]);
});
