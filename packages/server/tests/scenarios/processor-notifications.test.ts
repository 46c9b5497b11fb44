import { describe, expect, it } from 'vitest';
import { createClockAhead } from '../support/clock-ahead.ts';
import {
  eventually,
  makeAuthorisedPayment,
  makeCapture,
  makeRefund,
  waitForDispute,
  waitForOutcome,
} from '../support/make.ts';
import {
  approved,
  notified_at as at,
  authorisation,
  declined,
  useNotifyingStack,
} from '../support/notifying-stack.ts';
import { describeOpenDisputes } from './processor-notifications/open-disputes.ts';
import { describeRefusedRequests } from './processor-notifications/refused-requests.ts';
import { describeSecondChargebacks } from './processor-notifications/second-chargebacks.ts';

/** The network executes a refund of this amount and loses its response. */
const LOST_REFUND_CENTS = 9_701;

const clock = createClockAhead();
const florin = useNotifyingStack(clock);

describe('a notification about a payment without an answer', () => {
  it.each([
    ['an approval', approved, 'succeeded'],
    ['a decline', declined, 'failed'],
  ])('of %s tells its outcome, and a repeated one changes nothing', async (_, result, status) => {
    const payment = await florin.payUnanswered();
    const fact = authorisation(payment.attempt_id, result);
    expect((await florin.apply(fact)).status).toBe('applied');
    expect(await florin.statusOf(payment.id)).toBe(status);
    expect((await florin.notify([fact])).status).toBe(200);
    const rows = await florin.db.query(
      `select id from processor_notifications where outcomes::text like '%' || $1 || '"%'`,
      [fact.key],
    );
    expect(rows).toHaveLength(1);
    expect((await florin.apply(authorisation(payment.attempt_id, result))).status).toBe('applied');
  });
});

it('a payment that no notification tells about is cancelled after a quarter of an hour', async () => {
  const payment = await florin.payUnanswered();
  const { attributes } = await eventually(
    async () => {
      clock.advance(60);
      return florin.client.fetch('payment_demands', payment.id);
    },
    (found) => found.attributes.status === 'failed',
  );
  expect(attributes.failure_reason).toBe('processor_unreachable');
  expect((await florin.apply(authorisation(payment.attempt_id, approved))).status).toBe('applied');
});

describe('a notification', () => {
  it('of a decline after an approval is an operator’s item, and can be replayed', async () => {
    const payment = await florin.pay();
    const notification = await florin.apply(authorisation(payment.attempt_id, declined));
    expect(notification.status).toBe('conflict');
    const { amount_cents, amount_currency } = (
      await florin.client.fetch('payment_demands', payment.id)
    ).attributes;
    const paid = { payment_demand_id: payment.id, amount_cents, amount_currency };
    expect(notification.payments).toMatchObject([paid]);
    expect(await florin.statusOf(payment.id)).toBe('succeeded');
    const open = (await florin.operator.get('/processor_notifications?open=true')).body.data;
    expect(open[0].id).toBe(notification.id);
    const path = `/processor_notifications/${notification.id}`;
    expect(JSON.parse((await florin.operator.get(path)).body.data.body)[0].kind).toBe(
      'authorisation',
    );
    clock.advance(60);
    expect((await florin.operator.send('POST', `${path}/replay`, {})).status).toBe(204);
    const { body } = await eventually(
      () => florin.operator.get(path),
      ({ body: { data } }) =>
        data.status === 'conflict' && data.tries === 1 && data.replayed_at !== null,
    );
    expect(body.data).toMatchObject({
      received_at: notification.received_at,
      replayed_by_email: florin.stack.credentials.account.email,
    });
    expect(Date.parse(body.data.replayed_at)).toBeGreaterThan(
      Date.parse(notification.received_at as string),
    );
    const [entry] = (await florin.operator.get(`/processor_accounts/${florin.account}`)).body.data
      .entries;
    expect(entry).toMatchObject({
      action: 'replayed',
      details: { notification: notification.id },
      account_email: florin.stack.credentials.account.email,
    });
  });

  it('finds a refund by our id, although its receipt was lost', async () => {
    const { id, attempt_id } = await florin.pay({ amount_cents: 40_000 });
    const payment = await florin.client.fetch('payment_demands', id);
    const refund = await makeRefund(florin.client, payment, { amount_cents: LOST_REFUND_CENTS });
    await eventually(
      () => florin.client.fetch('refund_demands', refund.id),
      ({ meta }) => meta?.outcome === 'unknown',
    );
    const effect = await florin.apply({
      kind: 'refund',
      key: `refund ${refund.id}`,
      at,
      demand_id: refund.id,
      processor_reference: 'act-unheard',
      authorisation_reference: `psp-${attempt_id}`,
      result: { result: 'approved', network_transaction_id: null },
    });
    expect(effect.status).toBe('applied');
    const { attributes } = await florin.client.fetch('refund_demands', refund.id);
    expect(attributes.status).toBe('succeeded');
  });

  it('of a refused refund ends the reversal that the account accepted as one', async () => {
    const { attempt_id } = await florin.payUnanswered();
    await florin.db.query(
      `update attempts set status = 'reversing', due_at = null, reversals = '{"act-1": "accepted"}'
       where id = $1`,
      [attempt_id],
    );
    const effect = await florin.apply({
      kind: 'refund',
      key: `refund ${attempt_id}`,
      at,
      demand_id: attempt_id,
      processor_reference: 'act-1',
      result: { result: 'declined', code: 'refund_declined' },
    });
    expect(effect.status).toBe('applied');
    const [row] = await florin.db.query('select reversals from attempts where id = $1', [
      attempt_id,
    ]);
    expect(JSON.parse(row?.reversals as string)).toEqual({ 'act-1': 'refused' });
  });

  it('opens and decides a dispute', async () => {
    const payment = await florin.pay();
    const dispute = {
      reference: `dsp-${payment.id}`,
      reason: 'fraudulent',
      amount: 100,
      currency: 'USD',
    } as const;
    const processor_reference = `psp-${payment.attempt_id}`;
    const { amount_currency } = (await florin.client.fetch('payment_demands', payment.id))
      .attributes;
    for (const status of ['open', 'lost'] as const) {
      const effect = await florin.apply({
        kind: 'dispute',
        key: `${status} ${payment.id}`,
        at,
        processor_reference,
        dispute: { ...dispute, currency: amount_currency, status },
      });
      expect(effect.status).toBe('applied');
      expect(effect.payments).toMatchObject([
        { payment_demand_id: payment.id, amount_cents: 100, amount_currency },
      ]);
    }
    const stored = await waitForDispute(florin.client, payment.id);
    expect(stored.attributes).toMatchObject({ status: 'lost', amount_cents: 100 });
  });

  it('of disputes of a captured part waits until the hold has ended, in any order', async () => {
    const payment = await makeAuthorisedPayment(florin.client, { amount_cents: 5_000 });
    const { id } = payment;
    const { amount_currency } = payment.attributes;
    const capture = await makeCapture(florin.client, payment, {
      amount_cents: 2_000,
      final: false,
    });
    await waitForOutcome(florin.client, capture.id, 'capture_demands');
    for (const status of ['lost', 'open'] as const) {
      const waiting = await florin.apply({
        kind: 'dispute',
        key: `${status} of a part of ${id}`,
        at,
        processor_reference: `psp-${await florin.attemptOf(id)}`,
        dispute: {
          reference: `dsp-${id}`,
          reason: 'fraudulent',
          amount: 2_000,
          currency: amount_currency,
          status,
        },
      });
      expect(waiting).toMatchObject({ status: 'received', outcomes: [{ effect: 'waiting' }] });
    }
    await florin.client.send('PATCH', `/v2/payment_demands/${id}/void`);
    clock.advance(60);
    expect((await waitForDispute(florin.client, id)).attributes.amount_cents).toBe(2_000);
    await eventually(
      () => florin.statusOf(id),
      (status) => status === 'reversed',
    );
  });

  it.each([
    ['an unknown payment', () => '0190f3c2-7b4e-7abc-8def-0123456789ab'],
    ['a hostile id', () => "'; drop table attempts; --"],
  ])('about %s waits, and stays listed', async (_, idOf) => {
    const notification = await florin.apply(authorisation(idOf(), approved));
    expect(notification).toMatchObject({
      status: 'received',
      tries: 1,
      outcomes: [{ effect: 'unmatched' }],
    });
    expect(notification.due_at).not.toBeNull();
  });

  it('to another account does not touch the payment', async () => {
    const payment = await florin.payUnanswered();
    const fact = authorisation(payment.attempt_id, declined);
    expect((await florin.apply(fact, { to: florin.otherAccount })).outcomes).toMatchObject([
      { effect: 'unmatched' },
    ]);
    expect((await florin.client.fetch('payment_demands', payment.id)).meta?.outcome).toBe(
      'unknown',
    );
    await florin.apply(authorisation(payment.attempt_id, declined));
  });

  it('that is no list of facts is tried again, and never lost', async () => {
    expect((await florin.notify({ not: 'facts' } as never)).status).toBe(200);
    const { body } = await eventually(
      () => florin.operator.get('/processor_notifications'),
      (answer) => answer.body.data[0].outcomes[0]?.key === 'unreadable',
    );
    expect(body.data[0]).toMatchObject({ status: 'received', tries: 1 });
  });
});

describeSecondChargebacks(florin);
describeOpenDisputes(florin);
describeRefusedRequests(florin);
