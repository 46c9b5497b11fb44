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
  readonly paymentId: string;
  readonly form: FrameConfig;
  readonly attemptId: string;
  verify(): Promise<VerifyAnswer>;
  abandon(): Promise<VerifyAnswer>;
}

async function createAttempt(amount_cents: number, card = 'visa'): Promise<Attempt> {
  const { id: paymentId } = await makeCardlessPayment(api.client, { amount_cents });
  const form = await mount(paymentId);
  const attemptId = randomUUID();
  const body = { ...(await sealCard(form, card)), browser, attempt: attemptId };
  return {
    paymentId,
    form,
    attemptId,
    verify: async () => answerOf(await callPay(api.stack, '/frame/v1/verify', body)),
    abandon: async () => answerOf(await abandon({ session: form.session, attempt: attemptId })),
  };
}

const mount = (paymentId: string): Promise<FrameConfig> =>
  mountForm(api.stack, paymentId, api.stack.credentials.sandbox.publishable_key);

const abandon = (body: object): Promise<PayAnswer> => callPay(api.stack, '/frame/v1/abandon', body);

const resultOf = ({ result, detail }: VerifyAnswer) => [result, detail.code];
const wasAbandoned = (answer: VerifyAnswer): boolean => answer.detail.code === ABANDONED;

/** Status of the payment, and whether it has a card. */
async function readPayment(paymentId: string): Promise<[status: string, hasCard: boolean]> {
  const { attributes, relationships } = await api.client.fetch('payment_demands', paymentId);
  return [attributes.status, Boolean(relationships.payment_method?.data)];
}

const readAuthentications = (paymentId: string): Promise<Row[]> =>
  api.fixtures.db.query('select * from authentications where payment_id = $1', [paymentId]);

describe('an abandoned attempt', () => {
  it('that arrives later does not start, however often it is sent', async () => {
    const attempt = await createAttempt(amounts.frictionless);
    expect(resultOf(await attempt.abandon())).toEqual(['failed', ABANDONED]);
    for (const _ of [1, 2]) expect(resultOf(await attempt.verify())).toEqual(['failed', ABANDONED]);
    expect(await readPayment(attempt.paymentId)).toEqual(['incomplete', false]);
    expect((await readAuthentications(attempt.paymentId)).map(({ status }) => status)).toEqual([
      'abandoned',
    ]);
  });

  it('after its card was attached reports the outcome, and changes nothing', async () => {
    const attempt = await createAttempt(amounts.frictionless);
    const verifyAnswer = await attempt.verify();
    expect(await attempt.abandon()).toEqual(verifyAnswer);
    expect(verifyAnswer.result).toBe('verified');
    expect(await readPayment(attempt.paymentId)).toEqual(['ready', true]);
  });

  it('during the challenge ends: a late result puts no card on the payment', async () => {
    const attempt = await createAttempt(amounts.challenge);
    const challengeAnswer = await attempt.verify();
    const challenge = await openChallenge(api.stack, challengeAnswer);
    expect(resultOf(await attempt.abandon())).toEqual(['failed', ABANDONED]);
    await enterCode(challenge, '123456');
    const paymentMethod = await api.client.fetch(
      'payment_methods',
      challengeAnswer.detail.payment_method as string,
    );
    expect(paymentMethod.attributes.external_state).toBe('failed');
    expect(resultOf(await attempt.verify())).toEqual(['failed', ABANDONED]);
    expect(await readPayment(attempt.paymentId)).toEqual(['incomplete', false]);
  });

  it('after a passed challenge reports its outcome', async () => {
    const attempt = await createAttempt(amounts.challenge);
    await enterCode(await openChallenge(api.stack, await attempt.verify()), '123456');
    await eventually(
      () => readPayment(attempt.paymentId),
      ([, hasCard]) => hasCard,
    );
    expect((await attempt.abandon()).result).toBe('verified');
    expect(await readPayment(attempt.paymentId)).toEqual(['ready', true]);
  });

  it('that is authenticated and not attached yet is not attached', async () => {
    const attempt = await createAttempt(amounts.challenge);
    await attempt.verify();
    // Simulates a process that died between the bank's result and the payment.
    await api.fixtures.db.query(
      `update authentications set status = 'authenticated', due_at = null where payment_id = $1`,
      [attempt.paymentId],
    );
    expect(wasAbandoned(await attempt.abandon())).toBe(true);
    expect(wasAbandoned(await attempt.verify())).toBe(true);
    expect(await readPayment(attempt.paymentId)).toEqual(['incomplete', false]);
  });

  it.each(['asking', 'abandoned'])(
    'while another writer makes it %s is not written twice',
    async (status) => {
      const attempt = await createAttempt(amounts.frictionless);
      const merchantId = (await api.fixtures.getDemoMerchant()).id;
      const [nonce] = attempt.form.session.split('.');
      const { abandoning, verifying } = await api.fixtures.db.transaction(async (tx) => {
        await tx.query(
          `insert into authentications (merchant_id, mode, id, status, payment_table, payment_id, mount_nonce,
             attempt, failure_code, created_at, updated_at)
           values ($1, 'sandbox', $2, $3, 'payment_demands', $4, $5, $6,
             case $3 when 'abandoned' then 'abandoned' end, now(), now())`,
          [merchantId, randomUUID(), status, attempt.paymentId, nonce, attempt.attemptId],
        );
        const answers = { abandoning: attempt.abandon(), verifying: attempt.verify() };
        await eventually(
          () => countWaiting(api.fixtures.db),
          (count) => count === 2,
        );
        return answers;
      });
      expect(resultOf(await abandoning)).toEqual(['failed', ABANDONED]);
      expect(wasAbandoned(await verifying)).toBe(true);
      expect((await readAuthentications(attempt.paymentId)).map((row) => row.status)).toEqual([
        'abandoned',
      ]);
    },
  );

  it('allows the payment another card', async () => {
    const attempt = await createAttempt(amounts.frictionless);
    await attempt.abandon();
    const body = { ...(await sealCard(attempt.form)), browser, attempt: randomUUID() };
    const answer = answerOf(await callPay(api.stack, '/frame/v1/verify', body));
    expect(answer.result).toBe('verified');
    expect(await readPayment(attempt.paymentId)).toEqual(['ready', true]);
  });

  it('concurrent with its verification ends once, and both get that outcome', async () => {
    const ROUNDS = 6;
    const outcomeCounts = { abandoned: 0, verified: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const attempt = await createAttempt(amounts.frictionless);
      const verifying = attempt.verify();
      await sleep(round * 8);
      const [verifyAnswer, abandonAnswer] = await Promise.all([verifying, attempt.abandon()]);
      expect([round, wasAbandoned(verifyAnswer)]).toEqual([round, wasAbandoned(abandonAnswer)]);
      const outcome = wasAbandoned(abandonAnswer) ? 'abandoned' : 'verified';
      expect([round, ...(await readPayment(attempt.paymentId))]).toEqual(
        outcome === 'abandoned' ? [round, 'incomplete', false] : [round, 'ready', true],
      );
      outcomeCounts[outcome]++;
    }
    console.log(`abandoned at once: ${JSON.stringify(outcomeCounts)}`);
  });
});

describe('an open challenge', () => {
  it('is abandoned by the form that continues it, which gets no card data', async () => {
    const attempt = await createAttempt(amounts.challenge);
    await attempt.verify();
    const { session, threeds } = await mount(attempt.paymentId);
    const authentication = threeds?.waiting?.authentication as string;
    const answer = answerOf(await abandon({ session, authentication }));
    expect(Object.keys(answer.detail).sort()).toEqual(['code', 'message', 'payment_demand']);
    expect(wasAbandoned(answer)).toBe(true);
    expect(await readPayment(attempt.paymentId)).toEqual(['incomplete', false]);
  });

  it('that is authenticated and not attached yet is not attached', async () => {
    const attempt = await createAttempt(amounts.challenge);
    await attempt.verify();
    const { session, threeds } = await mount(attempt.paymentId);
    const authentication = threeds?.waiting?.authentication as string;
    await api.fixtures.db.query(
      `update authentications set status = 'authenticated', due_at = null where payment_id = $1`,
      [attempt.paymentId],
    );
    expect(wasAbandoned(answerOf(await abandon({ session, authentication })))).toBe(true);
    expect(await readPayment(attempt.paymentId)).toEqual(['incomplete', false]);
  });

  it('shows its card only to the form in which it was entered', async () => {
    const attempt = await createAttempt(amounts.challenge);
    const challengeAnswer = await attempt.verify();
    const { session, threeds } = await mount(attempt.paymentId);
    const authentication = threeds?.waiting?.authentication as string;
    const otherFormAnswer = await callForm(api.stack, 'challenge', { session, authentication });
    expect(otherFormAnswer.detail).toEqual({ payment_demand: attempt.paymentId });
    const { session: ownSession } = attempt.form;
    const ownFormAnswer = await callForm(api.stack, 'challenge', {
      session: ownSession,
      authentication,
    });
    expect(ownFormAnswer.detail).toEqual(challengeAnswer.detail);
    expect(ownFormAnswer.detail.last_four).toMatch(/^\d{4}$/);
  });
});

describe('impossible to abandon is', () => {
  it('an attempt of another form: its id is unknown there', async () => {
    const [attempt, otherAttempt] = [
      await createAttempt(amounts.challenge),
      await createAttempt(amounts.challenge),
    ];
    await attempt.verify();
    const { session } = otherAttempt.form;
    await abandon({ session, attempt: attempt.attemptId });
    const [row] = await readAuthentications(attempt.paymentId);
    expect(row?.status).toBe('challenged');
    const authentication = (await mount(attempt.paymentId)).threeds?.waiting?.authentication;
    expect((await abandon({ session, authentication })).status).toBe(422);
  });

  it('anything without a valid session and a valid name', async () => {
    const { session } = (await createAttempt(amounts.frictionless)).form;
    const bodies = {
      'no session': { attempt: randomUUID() },
      'a forged session': { session: 'a.b.c', attempt: randomUUID() },
      'no name': { session },
      'a name that is too long': { session, attempt: 'x'.repeat(65) },
      'a list of names': { session, attempt: ['a'] },
    };
    for (const [name, body] of Object.entries(bodies)) {
      expect([name, (await abandon(body)).status]).toEqual([name, 422]);
    }
  });
});
