import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ABANDONED, type FrameConfig, type VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/platform/database/row.ts';
import { useApi } from '../support/api.ts';
import { browser, callForm, enterCode, openChallenge } from '../support/bank.ts';
import { answerOf, callPay, mountForm, type PayAnswer, sealCard } from '../support/form.ts';
import { eventually, makeCardlessPayment } from '../support/make.ts';
import { countWaiting } from '../support/waiting.ts';

const api = useApi();

/** Amounts that select a behaviour of the simulated bank. */
const amounts = { frictionless: 9811, challenge: 9813 } as const;

/** A card that was typed into a form, and its possible outcomes. */
interface Attempt {
  readonly payment: string;
  readonly form: FrameConfig;
  readonly attempt: string;
  verify(): Promise<VerifyAnswer>;
  abandon(): Promise<VerifyAnswer>;
}

async function attemptFor(amount_cents: number, card = 'visa'): Promise<Attempt> {
  const { id: payment } = await makeCardlessPayment(api.client, { amount_cents });
  const form = await mount(payment);
  const attempt = randomUUID();
  const body = { ...(await sealCard(form, card)), browser, attempt };
  return {
    payment,
    form,
    attempt,
    verify: async () => answerOf(await callPay(api.stack, '/frame/v1/verify', body)),
    abandon: async () => answerOf(await abandon({ session: form.session, attempt })),
  };
}

const mount = (payment: string): Promise<FrameConfig> =>
  mountForm(api.stack, payment, api.stack.credentials.sandbox.publishable_key);

const abandon = (body: object): Promise<PayAnswer> => callPay(api.stack, '/frame/v1/abandon', body);

const resultOf = ({ result, detail }: VerifyAnswer) => [result, detail.code];
const wasAbandoned = (answer: VerifyAnswer): boolean => answer.detail.code === ABANDONED;

/** Status of the payment, and whether it has a card. */
async function readPayment(payment: string): Promise<[status: string, hasCard: boolean]> {
  const { attributes, relationships } = await api.client.fetch('payment_demands', payment);
  return [attributes.status, Boolean(relationships.payment_method?.data)];
}

const authenticationsOf = (payment: string): Promise<Row[]> =>
  api.fixtures.db.query('select * from authentications where payment_id = $1', [payment]);

describe('an abandoned attempt', () => {
  it('that arrives later does not start, however often it is sent', async () => {
    const one = await attemptFor(amounts.frictionless);
    expect(resultOf(await one.abandon())).toEqual(['failed', ABANDONED]);
    for (const _ of [1, 2]) expect(resultOf(await one.verify())).toEqual(['failed', ABANDONED]);
    expect(await readPayment(one.payment)).toEqual(['incomplete', false]);
    expect((await authenticationsOf(one.payment)).map(({ status }) => status)).toEqual([
      'abandoned',
    ]);
  });

  it('after its card was attached reports the outcome, and changes nothing', async () => {
    const one = await attemptFor(amounts.frictionless);
    const verified = await one.verify();
    expect(await one.abandon()).toEqual(verified);
    expect(verified.result).toBe('verified');
    expect(await readPayment(one.payment)).toEqual(['ready', true]);
  });

  it('during the challenge ends: a late result puts no card on the payment', async () => {
    const one = await attemptFor(amounts.challenge);
    const challenged = await one.verify();
    const opened = await openChallenge(api.stack, challenged);
    expect(resultOf(await one.abandon())).toEqual(['failed', ABANDONED]);
    await enterCode(opened, '123456');
    const method = await api.client.fetch(
      'payment_methods',
      challenged.detail.payment_method as string,
    );
    expect(method.attributes.external_state).toBe('failed');
    expect(resultOf(await one.verify())).toEqual(['failed', ABANDONED]);
    expect(await readPayment(one.payment)).toEqual(['incomplete', false]);
  });

  it('after a passed challenge reports its outcome', async () => {
    const one = await attemptFor(amounts.challenge);
    await enterCode(await openChallenge(api.stack, await one.verify()), '123456');
    await eventually(
      () => readPayment(one.payment),
      ([, hasCard]) => hasCard,
    );
    expect((await one.abandon()).result).toBe('verified');
    expect(await readPayment(one.payment)).toEqual(['ready', true]);
  });

  it('that is authenticated and not attached yet is not attached', async () => {
    const one = await attemptFor(amounts.challenge);
    await one.verify();
    // Simulates a process that died between the bank's result and the payment.
    await api.fixtures.db.query(
      `update authentications set status = 'authenticated', due_at = null where payment_id = $1`,
      [one.payment],
    );
    expect(wasAbandoned(await one.abandon())).toBe(true);
    expect(wasAbandoned(await one.verify())).toBe(true);
    expect(await readPayment(one.payment)).toEqual(['incomplete', false]);
  });

  it.each(['asking', 'abandoned'])(
    'while another writer makes it %s is not written twice',
    async (status) => {
      const one = await attemptFor(amounts.frictionless);
      const merchant = (await api.fixtures.getDemoMerchant()).id;
      const [nonce] = one.form.session.split('.');
      const { abandoning, verifying } = await api.fixtures.db.transaction(async (tx) => {
        await tx.query(
          `insert into authentications (merchant_id, mode, id, status, payment_table, payment_id, mount_nonce,
             attempt, failure_code, created_at, updated_at)
           values ($1, 'sandbox', $2, $3, 'payment_demands', $4, $5, $6,
             case $3 when 'abandoned' then 'abandoned' end, now(), now())`,
          [merchant, randomUUID(), status, one.payment, nonce, one.attempt],
        );
        const both = { abandoning: one.abandon(), verifying: one.verify() };
        await eventually(
          () => countWaiting(api.fixtures.db),
          (count) => count === 2,
        );
        return both;
      });
      expect(resultOf(await abandoning)).toEqual(['failed', ABANDONED]);
      expect(wasAbandoned(await verifying)).toBe(true);
      expect((await authenticationsOf(one.payment)).map((row) => row.status)).toEqual([
        'abandoned',
      ]);
    },
  );

  it('allows the payment another card', async () => {
    const one = await attemptFor(amounts.frictionless);
    await one.abandon();
    const body = { ...(await sealCard(one.form)), browser, attempt: randomUUID() };
    const again = answerOf(await callPay(api.stack, '/frame/v1/verify', body));
    expect(again.result).toBe('verified');
    expect(await readPayment(one.payment)).toEqual(['ready', true]);
  });

  it('concurrent with its verification ends once, and both get that outcome', async () => {
    const ROUNDS = 6;
    const ends = { abandoned: 0, verified: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const one = await attemptFor(amounts.frictionless);
      const verifying = one.verify();
      await sleep(round * 8);
      const [verified, given_up] = await Promise.all([verifying, one.abandon()]);
      expect([round, wasAbandoned(verified)]).toEqual([round, wasAbandoned(given_up)]);
      const end = wasAbandoned(given_up) ? 'abandoned' : 'verified';
      expect([round, ...(await readPayment(one.payment))]).toEqual(
        end === 'abandoned' ? [round, 'incomplete', false] : [round, 'ready', true],
      );
      ends[end]++;
    }
    console.log(`abandoned at once: ${JSON.stringify(ends)}`);
  });
});

describe('an open challenge', () => {
  it('is abandoned by the form that continues it, which gets no card data', async () => {
    const one = await attemptFor(amounts.challenge);
    await one.verify();
    const { session, threeds } = await mount(one.payment);
    const authentication = threeds?.waiting?.authentication as string;
    const answer = answerOf(await abandon({ session, authentication }));
    expect(Object.keys(answer.detail).sort()).toEqual(['code', 'message', 'payment_demand']);
    expect(wasAbandoned(answer)).toBe(true);
    expect(await readPayment(one.payment)).toEqual(['incomplete', false]);
  });

  it('that is authenticated and not attached yet is not attached', async () => {
    const one = await attemptFor(amounts.challenge);
    await one.verify();
    const { session, threeds } = await mount(one.payment);
    const authentication = threeds?.waiting?.authentication as string;
    await api.fixtures.db.query(
      `update authentications set status = 'authenticated', due_at = null where payment_id = $1`,
      [one.payment],
    );
    expect(wasAbandoned(answerOf(await abandon({ session, authentication })))).toBe(true);
    expect(await readPayment(one.payment)).toEqual(['incomplete', false]);
  });

  it('shows its card only to the form in which it was entered', async () => {
    const one = await attemptFor(amounts.challenge);
    const challenged = await one.verify();
    const { session, threeds } = await mount(one.payment);
    const authentication = threeds?.waiting?.authentication as string;
    const elsewhere = await callForm(api.stack, 'challenge', { session, authentication });
    expect(elsewhere.detail).toEqual({ payment_demand: one.payment });
    const { session: own } = one.form;
    const there = await callForm(api.stack, 'challenge', { session: own, authentication });
    expect(there.detail).toEqual(challenged.detail);
    expect(there.detail.last_four).toMatch(/^\d{4}$/);
  });
});

describe('impossible to abandon is', () => {
  it('an attempt of another form: its id is unknown there', async () => {
    const [one, other] = [await attemptFor(amounts.challenge), await attemptFor(amounts.challenge)];
    await one.verify();
    const { session } = other.form;
    await abandon({ session, attempt: one.attempt });
    const [row] = await authenticationsOf(one.payment);
    expect(row?.status).toBe('challenged');
    const authentication = (await mount(one.payment)).threeds?.waiting?.authentication;
    expect((await abandon({ session, authentication })).status).toBe(422);
  });

  it('anything without a valid session and a valid name', async () => {
    const { session } = (await attemptFor(amounts.frictionless)).form;
    const bodies = {
      'no session': { attempt: randomUUID() },
      'a forged session': { session: 'a.b.c', attempt: randomUUID() },
      'no name': { session },
      'a name that is too long': { session, attempt: 'x'.repeat(65) },
      'a list of names': { session, attempt: ['a'] },
    };
    for (const [what, body] of Object.entries(bodies)) {
      expect([what, (await abandon(body)).status]).toEqual([what, 422]);
    }
  });
});
