import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type AdyenStack, HMAC_KEY, MERCHANT_ACCOUNT, WEBHOOK_LOGIN } from '../../support/adyen.ts';
import { adyenPaymentsOf, waitsForCancellation } from '../../support/adyen-payments.ts';
import { documentOf } from '../../support/client.ts';
import type { createClockAhead } from '../../support/clock-ahead.ts';
import {
  eventually,
  makeDemand,
  makeParties,
  newestOf,
  waitForOutcome,
} from '../../support/make.ts';

/** Waits before each cancellation that follows another, in seconds. */
const adyenCancels = [900, 2_700, 18_000, 64_800];

type Members = Record<string, unknown>;

/** Changes the item of a notification, and signs it again. */
function changeItem(body: string, change: (item: Members) => Members): string {
  const webhook = JSON.parse(body);
  const [part] = webhook.notificationItems;
  const item = change(part.NotificationRequestItem);
  const { pspReference, merchantReference, eventCode, success } = item;
  const { value, currency } = item.amount as Members;
  const reference = item.originalReference ?? '';
  const signed = [pspReference, reference, MERCHANT_ACCOUNT, merchantReference, value, currency];
  const hmacSignature = createHmac('sha256', Buffer.from(HMAC_KEY, 'hex'))
    .update([...signed, eventCode, success].join(':'))
    .digest('base64');
  const additionalData = { ...(item.additionalData as Members), hmacSignature };
  part.NotificationRequestItem = { ...item, additionalData };
  return JSON.stringify(webhook);
}

const tellPart = (body: string, amount: number): string =>
  changeItem(body, (item) => ({
    ...item,
    additionalData: {
      ...(item.additionalData as Members),
      authorisedAmountValue: String(amount),
      authorisedAmountCurrency: 'USD',
    },
  }));

const tellAmount = (body: string, amount: number): string =>
  changeItem(body, (item) => ({
    ...item,
    amount: { value: amount, currency: 'USD' },
    additionalData: {
      ...(item.additionalData as Members),
      authorisedAmountValue: String(amount),
    },
  }));

/** Outcomes that an operator finds out, after the last cancellation. */
export function describeOperatorsOutcomes(
  florin: AdyenStack,
  clock: ReturnType<typeof createClockAhead>,
): void {
  const { attemptOf, refundOf, standInPayment } = adyenPaymentsOf(florin);

  describe('a payment that nobody can tell about', () => {
    /** Pays with faults of requests, and passes the times of all cancellations. */
    async function payUntilOperator(
      faults: readonly object[],
      beforeCancellations?: (attempt: string) => Promise<void>,
    ) {
      for (const fault of faults)
        await florin.control('POST', '/faults', { method: 'POST', ...fault });
      const parties = await makeParties(florin.client);
      const { id } = await makeDemand(florin.client, { confirmed: true }, parties);
      const { id: waiting } = await attemptOf(id, waitsForCancellation);
      await beforeCancellations?.(waiting as string);
      const attempt = await passCancellations(id);
      return { id, merchant_id: attempt.merchant_id as string, attempt: attempt.id as string };
    }

    /** Passes the times of all cancellations, after which the attempt is an operator's. */
    async function passCancellations(id: string) {
      for (const cancel_s of adyenCancels) {
        const { inquiries } = await attemptOf(id);
        clock.advance(cancel_s);
        await attemptOf(id, (row) => Number(row.inquiries) > Number(inquiries));
      }
      const attempt = await attemptOf(id, ({ due_at }) => due_at === null);
      expect(attempt.status).toBe('reversing');
      return attempt;
    }

    const notifications = () =>
      florin.control('GET', '/notifications') as Promise<{ body: string; position: number }[]>;

    /** Notification of an approval that was lost on its way. */
    async function lostApproval(attempt: string) {
      const lost = (await notifications()).find(
        ({ body }) => body.includes(attempt) && body.includes('"AUTHORISATION"'),
      );
      const [, psp = ''] = /"pspReference":"(\w+)"/.exec(lost?.body ?? '') ?? [];
      return { position: lost?.position, body: lost?.body ?? '', psp };
    }

    async function refuse(...refused_mismatches: string[]): Promise<void> {
      const { id } = await newestOf(florin.client, 'merchants');
      const document = documentOf('merchants', { refused_mismatches }, {}, id);
      const { status } = await florin.client.send('PATCH', `/v2/merchants/${id}`, document);
      expect(status).toBe(200);
    }

    async function notify(body: string): Promise<void> {
      const response = await fetch(`${florin.stack.baseUrl}/notifications/${florin.account}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Basic ${Buffer.from(WEBHOOK_LOGIN).toString('base64')}`,
        },
        body,
      });
      expect(response.status).toBe(200);
    }

    const close = async ({ merchant_id, attempt }: { merchant_id: string; attempt: string }) => {
      const path = `/merchants/${merchant_id}/sandbox/unknown_outcomes/${attempt}/close`;
      const found = { reason: 'No such payment at Adyen', outcome: 'failed' };
      expect((await florin.operator.send('POST', path, found)).status).toBe(204);
    };

    it('is cancelled four times, then an operator closes it', async () => {
      const payment = await payUntilOperator([{ path: '/payments', kind: 'reset' }]);
      await eventually(
        () => florin.control('GET', '/notifications') as Promise<{ body: string }[]>,
        (deliveries) =>
          deliveries.filter(({ body }) => body.includes(payment.attempt)).length ===
          adyenCancels.length,
      );
      const open = `florin_processor_open_attempts{account="${florin.account}"} 1\n`;
      await eventually(
        async () => (await fetch(`${florin.stack.baseUrl}/metrics`)).text(),
        (text) => text.includes(open),
      );
      const { body } = await florin.operator.get('/unknown_outcomes');
      expect(body.data).toContainEqual(
        expect.objectContaining({
          id: payment.attempt,
          account: expect.any(String),
          step: 'cancel',
        }),
      );
      await close(payment);
      const { attributes } = await waitForOutcome(florin.client, payment.id);
      expect([attributes.status, attributes.failure_reason]).toEqual([
        'failed',
        'processor_unreachable',
      ]);
      expect((await attemptOf(payment.id)).status).toBe('abandoned');
    });

    it('succeeds if an operator found it captured there, and can be refunded', async () => {
      await florin.control('POST', '/notification-faults', {
        event: 'AUTHORISATION',
        kind: 'lost',
      });
      const { id, merchant_id, attempt } = await payUntilOperator([
        { path: '/payments', kind: 'lose_answer' },
        { path: '/cancels', kind: 'reset', times: 1_000 },
      ]);
      const { psp } = await lostApproval(attempt);
      const path = `/merchants/${merchant_id}/sandbox/unknown_outcomes/${attempt}/close`;
      const close = (given: object) =>
        florin.operator.send('POST', path, { reason: 'Settled', outcome: 'succeeded', ...given });
      await refuse('cvc_mismatch');
      expect((await close({})).status).toBe(422);
      const refused = await close({ processor_reference: attempt });
      expect([refused.status, refused.body.errors[0].detail]).toEqual([
        422,
        expect.stringContaining(
          'PSP reference of the Customer Area: 16 capital letters and digits',
        ),
      ]);
      expect((await close({ processor_reference: psp })).status).toBe(204);
      const payment = await waitForOutcome(florin.client, id);
      expect(payment.attributes).toMatchObject({
        status: 'succeeded',
        amount_captured_cents: 2_500,
      });
      expect(await attemptOf(id)).toMatchObject({ status: 'approved', processor_reference: psp });
      expect((await close({ processor_reference: psp })).status).toBe(405);
      const [logged] = (await florin.operator.get(`/merchants/${merchant_id}`)).body.entries;
      expect(logged).toMatchObject({ kind: 'close_outcome', reason: 'Settled' });
      // Nobody told the checks that the rule of the merchant is about.
      expect((await newestOf(florin.client, 'account_alerts')).attributes).toMatchObject({
        message_code: 'payment_confirmed_without_checks',
        message_parameters: { payment: id },
      });
      await refuse();
      // The stand-in captures what an operator found captured. The refund then names the operator's reference.
      await florin.capture(psp, payment.attributes.amount_cents);
      expect((await refundOf(payment)).attributes.status).toBe('succeeded');
      expect(await standInPayment({ id })).toMatchObject({ captured: 2_500, refunded: 2_500 });
    });

    it.each([
      ['keeps a check that was told once its reversal began', '1 Matches', 204, 'match'],
      ['is not confirmed against a rule about such a check', '2 Does not match', 422, 'mismatch'],
    ])('%s', async (_, cvcResult, status, cvc2_check) => {
      await florin.control('POST', '/notification-faults', {
        event: 'AUTHORISATION',
        kind: 'lost',
      });
      await refuse('cvc_mismatch');
      const { id, merchant_id, attempt } = await payUntilOperator([
        { path: '/payments', kind: 'lose_answer' },
        { path: '/cancels', kind: 'reset', times: 1_000 },
        { path: '/reversals', kind: 'reset', times: 1_000 },
      ]);
      const { psp, body } = await lostApproval(attempt);
      await notify(body.replace(/"cvcResult":"[^"]*"/, `"cvcResult":"${cvcResult}"`));
      await attemptOf(id, ({ processor_reference }) => processor_reference === psp);
      await passCancellations(id);
      const path = `/merchants/${merchant_id}/sandbox/unknown_outcomes/${attempt}/close`;
      const found = { reason: 'Settled', outcome: 'succeeded', processor_reference: psp };
      expect((await florin.operator.send('POST', path, found)).status).toBe(status);
      if (status === 422) await close({ merchant_id, attempt });
      const { attributes } = await waitForOutcome(florin.client, id);
      expect(attributes).toMatchObject({
        cvc2_check,
        ...(status === 422
          ? { failure_reason: 'incorrect_cvc', risk_outcome: { rule: 'cvc_mismatch' } }
          : { status: 'succeeded' }),
      });
      await refuse();
    });

    it('is confirmed once Adyen has refused each cancellation that it accepted', async () => {
      await florin.control('POST', '/notification-faults', {
        event: 'AUTHORISATION',
        kind: 'lost',
      });
      const { id, merchant_id, attempt } = await payUntilOperator(
        [{ path: '/payments', kind: 'lose_answer' }],
        async (waiting) => {
          await florin.capture((await lostApproval(waiting)).psp, 2_500);
          const first = { event: 'TECHNICAL_CANCEL', kind: 'lost', times: 1 };
          await florin.control('POST', '/notification-faults', first);
        },
      );
      const { psp } = await lostApproval(attempt);
      const path = `/merchants/${merchant_id}/sandbox/unknown_outcomes/${attempt}/close`;
      const found = { reason: 'Settled', outcome: 'succeeded', processor_reference: psp };
      const isListedAs = async (may_still_reverse: boolean) =>
        (await florin.operator.get('/unknown_outcomes')).body.data.some(
          (row: { id: string; may_still_reverse: boolean }) =>
            row.id === attempt && row.may_still_reverse === may_still_reverse,
        );
      expect(await isListedAs(true)).toBe(true);
      const refused = await florin.operator.send('POST', path, found);
      expect([refused.status, refused.body.errors[0].detail]).toEqual([
        422,
        expect.stringContaining('accepted a reversal of this payment'),
      ]);
      for (const { position, body } of await notifications())
        if (body.includes(attempt) && body.includes('TECHNICAL_CANCEL'))
          await florin.control('POST', `/notifications/${position}/resend`);
      await eventually(() => isListedAs(false), Boolean);
      expect((await florin.operator.send('POST', path, found)).status).toBe(204);
      const payment = await waitForOutcome(florin.client, id);
      expect(payment.attributes.status).toBe('succeeded');
      expect(await standInPayment({ id })).toMatchObject({ captured: 2_500, refunded: 0 });
    });

    it.each([
      ['a part of it', 900, tellPart],
      ['another amount', 3_100, tellAmount],
    ])('is not confirmed if %s is told once its reversal began', async (_, amount, tell) => {
      await florin.control('POST', '/notification-faults', {
        event: 'AUTHORISATION',
        kind: 'lost',
      });
      const { id, merchant_id, attempt } = await payUntilOperator([
        { path: '/payments', kind: 'lose_answer' },
        { path: '/cancels', kind: 'reset', times: 1_000 },
        { path: '/reversals', kind: 'reset', times: 1_000 },
      ]);
      const { psp, body } = await lostApproval(attempt);
      await notify(tell(body, amount));
      await attemptOf(id, ({ processor_reference }) => processor_reference === psp);
      await passCancellations(id);
      const { body: list } = await florin.operator.get('/unknown_outcomes');
      expect(list.data).toContainEqual(
        expect.objectContaining({
          id: attempt,
          approved_cents: String(amount),
          approved_currency: 'USD',
        }),
      );
      const path = `/merchants/${merchant_id}/sandbox/unknown_outcomes/${attempt}/close`;
      const found = { reason: 'Settled', outcome: 'succeeded', processor_reference: psp };
      const refused = await florin.operator.send('POST', path, found);
      expect([refused.status, refused.body.errors[0].detail]).toEqual([
        422,
        expect.stringContaining(`another amount (${amount} USD)`),
      ]);
      await close({ merchant_id, attempt });
    });

    it('is reversed if its approval is notified after an operator closed it', async () => {
      await florin.control('POST', '/notification-faults', {
        event: 'AUTHORISATION',
        kind: 'lost',
      });
      const payment = await payUntilOperator([
        { path: '/payments', kind: 'lose_answer' },
        { path: '/cancels', kind: 'reset', times: 1_000 },
      ]);
      await close(payment);
      const { position } = await lostApproval(payment.attempt);
      await florin.control('POST', `/notifications/${position}/resend`);
      await attemptOf(payment.id, ({ status }) => status === 'reversed');
      expect(await standInPayment(payment)).toMatchObject({ status: 'cancelled', captured: 0 });
      const { attributes } = await florin.client.fetch('payment_demands', payment.id);
      expect(attributes.status).toBe('failed');
    });
  });
}
