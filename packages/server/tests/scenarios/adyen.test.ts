import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { fillCapabilities } from '../../src/features/processor-accounts/capabilities.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { adapters } from '../../src/processors/adapters/index.ts';
import { useAdyenStack } from '../support/adyen.ts';
import { adyenPaymentsOf, waitsForCancellation } from '../support/adyen-payments.ts';
import type { ResourceObject } from '../support/client.ts';
import { createClockAhead, passTime } from '../support/clock-ahead.ts';
import {
  eventually,
  makeAuthorisedPayment,
  makeCapture,
  makeDemand,
  makeParties,
  makeRefund,
  waitForDispute,
  waitForOutcome,
} from '../support/make.ts';
import { itTakesNetworkTokens } from '../support/network-token.ts';
import { describeAdyenDisputes } from './adyen/disputes.ts';
import { describeOperatorsOutcomes } from './adyen/operators-outcomes.ts';
import { describeSignedNotifications } from './adyen/signed-notifications.ts';

/** Time after which an attempt without a notification is cancelled. */
const WITHOUT_NOTIFICATION_SECONDS = 15 * 60;
/** Time that a message may take to arrive at Adyen. */
const DAY_SECONDS = 24 * 60 * 60;

/** Result of 3-D Secure that proves the cardholder. */
const PROOF = {
  threeds_version: '2.2.0',
  threeds_status: 'Y',
  eci: '05',
  acs_transaction_eid: 'd7c1ee99-9478-44a6-b1f2-391e29c6b340',
  directory_transaction_eid: '97267598-FAE6-48F2-8083-C23433990FBC',
};

const clock = createClockAhead();
const florin = useAdyenStack(clock);
passTime(clock);

afterEach(async () => {
  await florin.control('DELETE', '/faults');
  await florin.control('DELETE', '/notification-faults');
  await florin.configure();
});

async function pay(attributes: object = {}, card = 'visa') {
  const parties = await makeParties(florin.client, card);
  const { id } = await makeDemand(florin.client, { confirmed: true, ...attributes }, parties);
  return waitForOutcome(florin.client, id);
}

const { attemptOf, refundOf, standInPayment } = adyenPaymentsOf(florin);

describe('a payment through Adyen', () => {
  it('is authorised and captured, and its money is at the stand-in', async () => {
    const payment = await pay({ amount_cents: 4_200 });
    expect(payment.attributes).toMatchObject({ status: 'succeeded', amount_captured_cents: 4_200 });
    expect(await standInPayment(payment)).toMatchObject({ amount: 4_200, captured: 4_200 });
  });

  it.each([
    ['insufficient_funds', 'insufficient_funds'],
    ['stolen_card', 'stolen_card'],
    ['lost_card', 'lost_card'],
    ['generic_decline', 'generic_decline'],
  ])('with the card %s fails', async (card, reason) => {
    const { attributes } = await pay({}, card);
    expect([attributes.status, attributes.failure_reason]).toEqual(['failed', reason]);
  });

  it.each([
    [{}, 'online', 'Ecommerce'],
    [{ sales_channel: 'telephone' }, 'telephone', 'Moto'],
    [{ sales_channel: 'telephone', ...PROOF }, 'telephone', 'Ecommerce'],
  ])('of an order %j is %s here, and %s at Adyen', async (given, sales_channel, interaction) => {
    const payment = await pay(given);
    expect(payment.attributes).toMatchObject({ status: 'succeeded', sales_channel });
    expect(await standInPayment(payment)).toMatchObject({ interaction });
  });

  it('is refunded in parts', async () => {
    const payment = await pay({ amount_cents: 5_000 });
    expect((await refundOf(payment, { amount_cents: 2_000 })).attributes.status).toBe('succeeded');
    expect((await refundOf(payment)).attributes.status).toBe('succeeded');
    expect(await standInPayment(payment)).toMatchObject({ refunded: 5_000 });
  });

  it('is held, and captured in part', async () => {
    const payment = await makeAuthorisedPayment(florin.client, { amount_cents: 5_000 });
    await makeCapture(florin.client, payment, { amount_cents: 3_000 });
    const captured = await waitForOutcome(florin.client, payment.id);
    expect(captured.attributes.amount_captured_cents).toBe(3_000);
    expect(await standInPayment(payment)).toMatchObject({ captured: 3_000 });
  });

  it('is held, and captured in two parts, the first of which has lost its answer', async () => {
    const payment = await makeAuthorisedPayment(florin.client, { amount_cents: 5_000 });
    const fault = { method: 'POST', path: '/captures', kind: 'lose_answer', times: 1 };
    await florin.control('POST', '/faults', fault);
    const parts = [{ amount_cents: 3_000, final: false }, { amount_cents: 1_500 }];
    for (const attributes of parts) {
      const { id } = await makeCapture(florin.client, payment, attributes);
      await waitForOutcome(florin.client, id, 'capture_demands');
    }
    const captured = await florin.client.fetch('payment_demands', payment.id);
    expect(captured.attributes).toMatchObject({
      status: 'succeeded',
      amount_captured_cents: 4_500,
    });
    expect(await standInPayment(payment)).toMatchObject({ captured: 4_500 });
    expect((await refundOf(captured)).attributes.amount_cents).toBe(4_500);
    expect(await standInPayment(payment)).toMatchObject({ refunded: 4_500 });
  });

  it('is held, and voided', async () => {
    const payment = await makeAuthorisedPayment(florin.client);
    await florin.client.send('PATCH', `/v2/payment_demands/${payment.id}/void`);
    const voided = await waitForOutcome(florin.client, payment.id);
    expect(voided.attributes.status).toBe('canceled');
    expect(await standInPayment(payment)).toMatchObject({ status: 'cancelled', captured: 0 });
  });
});

describeAdyenDisputes(florin);

describe('a payment whose answer is lost', () => {
  const lose = { method: 'POST', path: '/payments', kind: 'lose_answer' };

  it('succeeds once, since a notification tells its outcome', async () => {
    await florin.control('POST', '/faults', lose);
    const payment = await pay();
    expect(payment.attributes.status).toBe('succeeded');
    expect(await standInPayment(payment)).toMatchObject({ captured: 2_500 });
  });

  it('fails if the lost answer was a decline', async () => {
    await florin.control('POST', '/faults', lose);
    const { attributes } = await pay({}, 'insufficient_funds');
    expect([attributes.status, attributes.failure_reason]).toEqual([
      'failed',
      'insufficient_funds',
    ]);
  });

  /** Pays, and lets the time pass in which Adyen would have notified the outcome. */
  async function payWithoutNotification(fault: object, card?: string) {
    await florin.control('POST', '/faults', lose);
    await florin.control('POST', '/notification-faults', { event: 'AUTHORISATION', ...fault });
    const parties = await makeParties(florin.client, card);
    const { id } = await makeDemand(florin.client, { confirmed: true }, parties);
    await attemptOf(id, waitsForCancellation);
    clock.advance(WITHOUT_NOTIFICATION_SECONDS);
    return waitForOutcome(florin.client, id);
  }

  it('is cancelled by our reference if the notification is lost too, and charges nothing', async () => {
    const before = await florin.countPayments();
    const { attributes } = await payWithoutNotification({ kind: 'lost' });
    expect([attributes.status, attributes.failure_reason]).toEqual([
      'failed',
      'processor_unreachable',
    ]);
    const after = await florin.countPayments();
    expect((after.cancelled ?? 0) - (before.cancelled ?? 0)).toBe(1);
    expect(after.authorised ?? 0).toBe(before.authorised ?? 0);
  });

  it('fails with the reason of a decline that is notified after the cancellation', async () => {
    const late = { kind: 'late', delay_ms: 2_000 };
    const { attributes } = await payWithoutNotification(late, 'insufficient_funds');
    expect([attributes.status, attributes.failure_reason]).toEqual([
      'failed',
      'insufficient_funds',
    ]);
  });
});

describeOperatorsOutcomes(florin, clock);

it('a capture that waits for its notification is no unknown outcome before a day', async () => {
  const unknown = async () =>
    (await florin.operator.get('/health')).body.unknown_outcomes as Record<string, number>;
  const before = await unknown();
  await florin.control('POST', '/notification-faults', { event: 'CAPTURE', kind: 'lost' });
  const payment = await makeAuthorisedPayment(florin.client, { amount_cents: 4_000 });
  await makeCapture(florin.client, payment);
  const capture = () =>
    florin.db.query(
      `select * from attempts where payment_demand_id = $1 and operation = 'capture'`,
      [payment.id],
    );
  await eventually(capture, ([row]) => row?.status === 'unknown' && row.due_at !== null);
  expect(await unknown()).toEqual(before);
  clock.advance(25 * 60 * 60);
  await eventually(capture, ([row]) => row?.due_at === null);
  expect(await unknown()).toEqual({ ...before, over_24h: (before.over_24h ?? 0) + 1 });
});

it.each(['captures', 'refunds'])('a lost answer of %s moves the money once', async (path) => {
  await florin.control('POST', '/faults', {
    method: 'POST',
    path: `/${path}`,
    kind: 'lose_answer',
  });
  const payment = await pay({ amount_cents: 5_000 });
  expect((await refundOf(payment, { amount_cents: 2_000 })).attributes.status).toBe('succeeded');
  expect(await standInPayment(payment)).toMatchObject({ captured: 5_000, refunded: 2_000 });
});

it('a capture and a refund that never arrived are sent again', async () => {
  for (const path of ['/captures', '/refunds'])
    await florin.control('POST', '/faults', { method: 'POST', path, kind: 'reset' });
  const payment = await pay({ amount_cents: 5_000 });
  expect((await refundOf(payment)).attributes.status).toBe('succeeded');
  expect(await standInPayment(payment)).toMatchObject({ captured: 5_000, refunded: 5_000 });
});

it('a refund that never arrived waits while its payment is disputed, and is then sent', async () => {
  const payment = await pay({ amount_cents: 5_000 });
  const { psp } = await standInPayment(payment);
  const reset = { method: 'POST', path: '/refunds', kind: 'reset', times: 1_000 };
  await florin.control('POST', '/faults', reset);
  const { id } = await makeRefund(florin.client, payment);
  await attemptOf(payment.id, ({ status }) => status === 'unknown', 'refund');
  const opened = await florin.control('POST', `/payments/${psp}/disputes`, {});
  await waitForDispute(florin.client, payment.id);
  for (const _ of ['may be under way', 'cannot arrive any more']) {
    const { inquiries } = await attemptOf(payment.id, undefined, 'refund');
    clock.advance(DAY_SECONDS);
    await attemptOf(payment.id, (row) => Number(row.inquiries) > Number(inquiries), 'refund');
  }
  expect((await florin.client.fetch('refund_demands', id)).attributes.status).toBe('processing');
  await florin.control('DELETE', '/faults');
  const won = { event: 'CHARGEBACK_REVERSED', status: 'Won' };
  await florin.control('POST', `/disputes/${(opened as { psp: string }).psp}/events`, won);
  await eventually(
    () => florin.client.fetch('payment_demands', payment.id),
    ({ attributes }) => attributes.status === 'succeeded',
  );
  clock.advance(DAY_SECONDS);
  const refund = await waitForOutcome(florin.client, id, 'refund_demands');
  expect(refund.attributes.status).toBe('succeeded');
  expect(await standInPayment(payment)).toMatchObject({ refunded: 5_000 });
});

it.each([
  ['before_answer', 4],
  ['doubled', 4],
  // The second one releases the first, and no inquiry could.
  ['out_of_order', 1],
])('notifications that come %s change no outcome', async (kind, times) => {
  await florin.control('POST', '/notification-faults', { kind, times });
  const payment = await pay({ amount_cents: 3_000 });
  expect(payment.attributes.amount_captured_cents).toBe(3_000);
  expect((await refundOf(payment)).attributes.status).toBe('succeeded');
  expect(await standInPayment(payment)).toMatchObject({ refunded: 3_000 });
});

describe('a refund whose answer is lost before the secrets key is lost', () => {
  const adopt = join(import.meta.dirname, '../../src/bin/adopt.ts');

  /** Loses the answer of a refund. Later messages about it do not arrive, and nothing notifies its outcome. */
  async function refundWithLostAnswer(payment: ResourceObject): Promise<string> {
    const onRefunds = { method: 'POST', path: '/refunds' };
    await florin.control('POST', '/faults', { ...onRefunds, kind: 'lose_answer' });
    await florin.control('POST', '/faults', { ...onRefunds, kind: 'reset', times: 1_000 });
    const lost = { event: 'REFUND', kind: 'lost', times: 1_000 };
    await florin.control('POST', '/notification-faults', lost);
    const { id } = await makeRefund(florin.client, payment, { amount_cents: 2_000 });
    await attemptOf(payment.id, ({ status }) => status === 'unknown', 'refund');
    return id;
  }

  /** Stops Florin, loses its key and adopts another one. Returns the report. */
  async function loseKey(): Promise<string> {
    const { stack } = florin;
    await stack.stop('server');
    await writeFile(join(stack.dataDir, 'secrets.key'), `${randomBytes(32).toString('base64')}\n`);
    const env = {
      ...process.env,
      FLORIN_DATA: stack.dataDir,
      DATABASE_URL: stack.serverDatabaseUrl,
    };
    return (await promisify(execFile)(process.execPath, [adopt, 'secrets-key'], { env })).stdout;
  }

  it('is never sent again under another key: an operator closes it', async () => {
    const payment = await pay({ amount_cents: 5_000 });
    const id = await refundWithLostAnswer(payment);
    const report = await loseKey();
    await florin.control('DELETE', '/faults');
    await florin.stack.start('server');
    const isOperators = ({ due_at }: Row) => due_at === null;
    const attempt = await attemptOf(payment.id, isOperators, 'refund');
    expect(report).toMatch(
      /\d+ captures and refunds have no outcome\. Florin never sends them again/,
    );
    const { merchant_id } = attempt;
    const path = `/merchants/${merchant_id}/sandbox/unknown_outcomes/${attempt.id}`;
    expect((await florin.operator.send('POST', `${path}/ask`, {})).status).toBe(204);
    await attemptOf(
      payment.id,
      (row) => isOperators(row) && Number(row.inquiries) > Number(attempt.inquiries),
      'refund',
    );
    expect(await standInPayment(payment)).toMatchObject({ refunded: 2_000 });
    const found = { reason: 'Refunded at Adyen', outcome: 'succeeded' };
    expect((await florin.operator.send('POST', `${path}/close`, found)).status).toBe(204);
    const refund = await waitForOutcome(florin.client, id, 'refund_demands');
    expect(refund.attributes.status).toBe('succeeded');
  });
});

it('merchants see whether the account takes several captures, by its settings', async () => {
  const seen = async () =>
    (await florin.client.get('/v2/processor_details?filter[kind]=adyen')).body.data.map(
      ({ attributes }: ResourceObject) => attributes.several_captures,
    );
  expect(await seen()).toEqual([true]);
  const path = `/processor_accounts/${florin.account}`;
  const { settings } = (await florin.operator.get(path)).body.data;
  for (const several_captures of ['no', 'yes']) {
    const change = { name: 'adyen', settings: { ...settings, several_captures }, secrets: {} };
    expect((await florin.operator.send('PUT', path, change)).status).toBe(204);
    expect(await seen()).toEqual([several_captures === 'yes']);
  }
  for (const table of ['processor_accounts', 'processor_details'])
    await florin.db.query(`update ${table} set several_captures = null`, []);
  await fillCapabilities({ db: florin.db, adapters, system_clock: clock });
  expect(await seen()).toEqual([true]);
});

describeSignedNotifications(florin);

describe('the stand-in of Adyen', () => {
  itTakesNetworkTokens(florin);
});
