import { describe, expect, it } from 'vitest';
import type { Holder } from '../../src/features/checkout/threeds/signed-references.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { browser, enterCode, openChallenge, post, postingOf } from '../support/bank.ts';
import { answerOf, callPay, mountForm, sealCard } from '../support/form.ts';
import {
  amounts,
  CODE,
  cancel,
  enterCodes,
  handleOf,
  intent,
  outcomeOf,
  resultOf,
  useBank,
  verify,
} from '../support/threeds.ts';

const bank = useBank();

describe('a challenge', () => {
  it('of a test token counts as passed, as there is no browser to show it in', async () => {
    const method = await bank.stand.client.make('payment_methods', {
      card_pan_token: 'pan_test_threeds_challenge',
      card_cvv_token: 'cvv_test',
      expiry_month: 12,
      expiry_year: 2031,
    });
    expect(method.attributes.external_state).toBe('confirmed');
  });

  it('emits events with its card’s state: created, then updated', async () => {
    const verified = await verify(bank.stand, amounts.challenge);
    await enterCodes(bank.stand, verified, [CODE]);
    const { detail } = await outcomeOf(bank.stand, verified);
    const { body } = await bank.stand.client.get(
      `/v2/events?filter[resource_id]=${detail.payment_method}&sort=created_at`,
    );
    const told = body.data.map(({ attributes }: { attributes: Record<string, unknown> }) => [
      attributes.slug,
      JSON.stringify(attributes.data).match(/"external_state":"(\w+)"/)?.[1],
    ]);
    expect(told).toEqual([
      ['created', 'pending'],
      ['updated', 'confirmed'],
    ]);
  });

  it('counts once, for any number and order of its results', async () => {
    const verified = await verify(bank.stand, amounts.duplicate);
    await enterCodes(bank.stand, verified, [CODE]);
    await outcomeOf(bank.stand, verified);
    const before = await bank.authenticationsOf(verified.payment);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await bank.authenticationsOf(verified.payment)).toEqual(before);
    expect(before.map(({ status }) => status)).toEqual(['authenticated']);
  });

  it('is not decided by data from the browser', async () => {
    const verified = await verify(bank.stand, amounts.challenge);
    if (verified.answer.result !== 'challenge') throw new Error('no challenge');
    const done = `${verified.answer.challenge.page_url}/done`;
    const cres = Buffer.from(JSON.stringify({ transStatus: 'Y' })).toString('base64url');
    const back = await post(bank.stand.place.payUrl, {
      url: `${bank.stand.place.payUrl}${done}`,
      fields: { cres },
    });
    expect(back.status).toBe(200);
    expect((await bank.authenticationsOf(verified.payment))[0]?.status).toBe('challenged');
  });

  it('accepts its result only at the address given to the directory server', async () => {
    const verified = await verify(bank.stand, amounts.challenge);
    const [row] = await bank.authenticationsOf(verified.payment);
    const result = resultOf(row as Row);
    const tell = (message: object, holder?: Holder) => bank.tell(row as Row, message, holder);
    const state = async () => (await bank.authenticationsOf(verified.payment))[0]?.status;
    expect(await tell(result, 'browser')).toBe(404);
    expect(await tell({ ...result, reference: 'x' })).toBe(404);
    expect(await tell({ ...result, acs_trans_id: 'x' })).toBe(200);
    expect(await state()).toBe('challenged');
    expect(await tell(result)).toBe(200);
    expect(await state()).toBe('authenticated');
    expect(await tell({ ...result, trans_status: 'N' })).toBe(200);
    expect(await state()).toBe('authenticated');
  });

  it('that the cardholder gives up ends: a later result changes nothing', async () => {
    const verified = await verify(bank.stand, amounts.challenge);
    const opened = await openChallenge(bank.stand.place, verified.answer);
    const cancelled = await cancel(bank.stand, verified);
    expect([cancelled.result, cancelled.detail.code]).toEqual(['failed', 'challenge_cancelled']);
    await enterCode(opened, '123456');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await outcomeOf(bank.stand, verified)).detail.code).toBe('challenge_cancelled');
    const { relationships } = await bank.stand.client.fetch('payment_demands', verified.payment);
    expect(relationships.payment_method?.data ?? null).toBeNull();
  });

  it('that is approved can no longer be given up', async () => {
    const verified = await verify(bank.stand, amounts.challenge);
    await enterCodes(bank.stand, verified, [CODE]);
    await outcomeOf(bank.stand, verified);
    expect((await cancel(bank.stand, verified)).result).toBe('verified');
  });

  it('of another payment, or with an invented reference, is unknown', async () => {
    const [verified, other] = await Promise.all([
      verify(bank.stand, amounts.challenge),
      verify(bank.stand, amounts.challenge),
    ]);
    for (const authentication of [handleOf(other), `${handleOf(verified)}x`, '']) {
      const call = { session: verified.session, authentication };
      const { status } = await callPay(bank.stand.place, '/frame/v1/challenge', call);
      expect(status).toBe(422);
    }
  });

  it('ends at its time limit', async () => {
    const verified = await verify(bank.stand, amounts.challenge);
    await openChallenge(bank.stand.place, verified.answer);
    await bank.letTimePass(verified.payment);
    const answer = await outcomeOf(bank.stand, verified);
    expect([answer.result, answer.detail.code]).toEqual(['failed', 'challenge_timeout']);
    const id = answer.detail.payment_method as string;
    const { attributes } = await bank.stand.client.fetch('payment_methods', id);
    expect(attributes.external_state).toBe('failed');
  });
});

describe('a card that is sent again without an answer', () => {
  it('is the same attempt: one authentication, one payment method, the same answer', async () => {
    const { payment, body, answer } = await verify(bank.stand, amounts.frictionless);
    const again = () => callPay(bank.stand.place, '/frame/v1/verify', body);
    const answers = await Promise.all([again(), again(), again()]);
    for (const repeated of answers) expect(answerOf(repeated)).toEqual(answer);
    expect(await bank.authenticationsOf(payment)).toHaveLength(1);
  });

  it('is the same when both requests are concurrent', async () => {
    const payment = await intent(bank.stand.client, amounts.challenge);
    const form = await mountForm(bank.stand.place, payment, bank.stand.publishable);
    const body = { ...(await sealCard(form)), browser };
    const send = async () => answerOf(await callPay(bank.stand.place, '/frame/v1/verify', body));
    const [first, second] = await Promise.all([send(), send()]);
    expect(first).toEqual(second);
    expect(await bank.authenticationsOf(payment)).toHaveLength(1);
  });
});

describe('two forms of one payment', () => {
  it('that send cards concurrently share one authentication', async () => {
    const payment = await intent(bank.stand.client, amounts.challenge);
    await Promise.all(
      ['visa', 'mastercard', 'amex'].map((card) =>
        verify(bank.stand, amounts.challenge, card, payment),
      ),
    );
    const rows = await bank.authenticationsOf(payment);
    const open = rows.filter(({ status }) => status === 'challenged' || status === 'asking');
    expect([rows.length, open.length]).toEqual([3, 1]);
    const replaced = rows.filter(({ failure_code }) => failure_code === 'challenge_replaced');
    expect(replaced.length).toBe(2);
  });
});

describe('the bank’s fingerprint of the browser', () => {
  const look = async (amount: number): Promise<{ payment: string; page_url?: string }> => {
    const payment = await intent(bank.stand.client, amount);
    const { session } = await mountForm(bank.stand.place, payment, bank.stand.publishable);
    const body = { session, bin: '400551' };
    const { text } = await callPay(bank.stand.place, '/frame/v1/fingerprint', body);
    return { payment, ...(JSON.parse(text) as { page_url?: string }) };
  };

  it('ends when the bank’s page has returned the browser', async () => {
    const { payment, page_url = '' } = await look(2499);
    const launch = postingOf((await callPay(bank.stand.place, page_url)).text);
    const answer = postingOf((await post(launch.url, launch)).text);
    expect(new URL(launch.url).hostname).toBe('acs.localhost');
    expect((await post(launch.url, answer)).status).toBe(200);
    expect((await bank.authenticationsOf(payment))[0]?.status).toBe('fingerprinted');
  });

  it('is not started if the bank does not take part', async () => {
    const { payment, page_url } = await look(amounts.not_enrolled);
    expect(page_url).toBeUndefined();
    expect(await bank.authenticationsOf(payment)).toEqual([]);
  });

  it('belongs to the authentication of the card that follows', async () => {
    const payment = await intent(bank.stand.client, 2499);
    const form = await mountForm(bank.stand.place, payment, bank.stand.publishable);
    const { text } = await callPay(bank.stand.place, '/frame/v1/fingerprint', {
      session: form.session,
      bin: '400551',
    });
    const { authentication } = JSON.parse(text) as Record<string, string>;
    await callPay(bank.stand.place, '/frame/v1/verify', {
      ...(await sealCard(form)),
      browser,
      authentication,
    });
    expect((await bank.authenticationsOf(payment)).map(({ status }) => status)).toEqual([
      'authenticated',
    ]);
  });

  it('is refused for an invalid card range', async () => {
    const { place, client, publishable } = bank.stand;
    const { session } = await mountForm(place, await intent(client, 2499), publishable);
    for (const bin of ['40055', '4005519', 'abcdef']) {
      const { status } = await callPay(place, '/frame/v1/fingerprint', { session, bin });
      expect([bin, status]).toEqual([bin, 422]);
    }
  });
});
