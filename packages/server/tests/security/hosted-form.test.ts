import { findKeyDifferences } from '@florin/cli/pay-check/sealing-key.ts';
import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import type { FrameConfig } from '@florin/contract/protocol/frame.ts';
import { describe, expect, it } from 'vitest';
import { tryLimits } from '../../src/features/checkout/try-limits.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { useApi } from '../support/api.ts';
import { answerOf, callPay, mountForm, sealCard } from '../support/form.ts';
import { eventually, makeCardlessPayment } from '../support/make.ts';

const api = useApi();
const VERIFY_PATH = '/frame/v1/verify';
const CARD_NUMBER = sandboxCards[0]?.number as string;

const makeCardlessPaymentId = async (client = api.client): Promise<string> =>
  (await makeCardlessPayment(client)).id;

const mount = (paymentId: string): Promise<FrameConfig> =>
  mountForm(api.stack, paymentId, api.stack.credentials.sandbox.publishable_key);

describe('a verified card', () => {
  it('is put on its payment, which is then ready', async () => {
    const id = await makeCardlessPaymentId();
    const answer = await callPay(api.stack, VERIFY_PATH, await sealCard(await mount(id)));
    expect(answerOf(answer).result).toBe('verified');
    const { attributes } = await api.client.fetch('payment_demands', id);
    expect([attributes.status, attributes.payer_timezone]).toEqual(['ready', 'Europe/Vienna']);
  });

  it.each([
    ['required', 'incomplete'],
    ['when_available', 'ready'],
  ])('without 3-D Secure, which is %s for the merchant, leaves it %s', async (policy, status) => {
    const merchant = await api.fixtures.makeMerchant({ threeds_sandbox: policy });
    const client = api.as(await merchant.makeKey());
    const id = await makeCardlessPaymentId(client);
    const form = await mountForm(api.stack, id, await merchant.makeKey({ context: 'browser' }));
    await callPay(api.stack, VERIFY_PATH, await sealCard(form, 'threeds_not_enrolled'));
    expect((await client.fetch('payment_demands', id)).attributes.status).toBe(status);
  });

  it.each([
    ['amount_cents = amount_cents + 1', 'payment_changed'],
    [`amount_currency = 'EUR'`, 'payment_changed'],
    [`status = 'pending'`, 'payment_closed'],
  ])('is not put on a payment that changed meanwhile (%s)', async (change, code) => {
    const id = await makeCardlessPaymentId();
    const body = await sealCard(await mount(id));
    const { pendingAnswer } = await api.fixtures.db.transaction(async (tx) => {
      await tx.query('select 1 from payment_demands where id = $1 for update', [id]);
      const countBefore = await countMethods(tx);
      const pendingAnswer = callPay(api.stack, VERIFY_PATH, body);
      await eventually(
        () => countMethods(tx),
        (count) => count > countBefore,
      );
      await tx.query(`update payment_demands set ${change} where id = $1`, [id]);
      return { pendingAnswer };
    });
    const outcome = answerOf(await pendingAnswer);
    expect([outcome.result, outcome.detail.code]).toEqual(['error', code]);
    const { relationships } = await api.client.fetch('payment_demands', id);
    expect(relationships.payment_method?.data ?? null).toBeNull();
  });
});

const countMethods = async (db: Db): Promise<number> =>
  Number((await db.query('select count(*) as count from payment_methods', []))[0]?.count);

it('is checked from outside for the sealing key, which `pay check` finds in the page', async () => {
  const id = await makeCardlessPaymentId();
  const { sealing_key } = await mount(id);
  const path = `/pay/${id}?key=${api.stack.credentials.sandbox.publishable_key}`;
  const { text } = await callPay(api.stack, path);
  expect(findKeyDifferences(text, [sealing_key.kid])).toEqual([]);
  expect(findKeyDifferences(text, ['another key'])).toHaveLength(1);
});

describe('the calls of the form', () => {
  it.each(['Mars/Olympus', 'now', '+01:00', '<b>'])(
    'refuse an unknown time zone (%s)',
    async (timezone) => {
      const body = await sealCard(await mount(await makeCardlessPaymentId()));
      const answer = await callPay(api.stack, VERIFY_PATH, { ...body, timezone });
      expect([answer.status, answerOf(answer).detail.code]).toEqual([422, 'unknown_timezone']);
    },
  );

  it('refuse a card number that is not sealed, in any place', async () => {
    const body = await sealCard(await mount(await makeCardlessPaymentId()));
    const answers = await Promise.all([
      callPay(api.stack, `${VERIFY_PATH}?note=${CARD_NUMBER}`, body),
      callPay(api.stack, VERIFY_PATH, body, { 'x-note': CARD_NUMBER }),
      callPay(api.stack, VERIFY_PATH, { ...body, pan_jwe: CARD_NUMBER }),
      callPay(api.stack, VERIFY_PATH, { ...body, more: { cvv: '907' } }),
      callPay(api.stack, `/frame/v1/status?session=${CARD_NUMBER}`),
      callPay(api.stack, `/pay/${CARD_NUMBER}`),
    ]);
    for (const { status, text } of answers) {
      expect([status, JSON.parse(text).errors[0].code]).toEqual([422, 'raw_card_data_forbidden']);
      expect(text).not.toContain(CARD_NUMBER);
    }
  });

  it('need no User-Agent, and treat a repeated parameter as missing', async () => {
    const id = await makeCardlessPaymentId();
    const { session } = await mount(id);
    const singleAnswer = await callPay(api.stack, `/frame/v1/status?session=${session}`);
    expect([singleAnswer.status, JSON.parse(singleAnswer.text).status]).toEqual([200, 'waiting']);
    const repeatedAnswer = await callPay(
      api.stack,
      `/frame/v1/status?session=${session}&session=b`,
    );
    expect(repeatedAnswer.status).toBe(422);
    expect((await callPay(api.stack, `/pay/${id}?key=a&key=b`)).status).toBe(404);
  });

  // card-tries.test.ts has the other limits.
  it('verify a limited number of cards per form', async () => {
    const id = await makeCardlessPaymentId();
    const form = await mount(id);
    const statuses: number[] = [];
    for (let count = 0; count < tryLimits.form.max; count++) {
      const body = { session: form.session, pan_jwe: `a${count}`, cvv_jwe: 'b', timezone: 'UTC' };
      statuses.push((await callPay(api.stack, VERIFY_PATH, body)).status);
    }
    expect(statuses).toEqual(Array<number>(tryLimits.form.max).fill(200));
    const refusal = await callPay(api.stack, VERIFY_PATH, await sealCard(form));
    expect([refusal.status, answerOf(refusal).detail.code]).toEqual([429, 'too_many_tries']);
    const newFormAnswer = await callPay(api.stack, VERIFY_PATH, await sealCard(await mount(id)));
    expect(answerOf(newFormAnswer).result).toBe('verified');
  });
});
