import { describe, expect, it } from 'vitest';
import { microsOf, systemClock } from '../../src/platform/time/clock.ts';
import { useApi } from '../support/api.ts';
import { type Answer, documentOf, type Relations, type ResourceObject } from '../support/client.ts';
import {
  eventually,
  makeActiveSubscription,
  makeChange,
  makeCustomer,
  makeMethod,
  makeSubscription,
} from '../support/make.ts';
import { describeReads, describeRefusedMethods, errorsOf } from '../support/resource-suite.ts';
import { countWaiting } from '../support/waiting.ts';

const api = useApi();
const makeTestSubscription = (): Promise<ResourceObject> => makeActiveSubscription(api.client);

const requestChange = (attributes: object, relations: Relations, headers = {}): Promise<Answer> => {
  const document = documentOf('subscription_changes', attributes, relations);
  return api.client.send('POST', '/v2/subscription_changes', document, headers);
};
const SUBSCRIPTION_POINTER = '/data/relationships/payment_subscription';

describe('a change of a subscription', () => {
  describeReads(
    api,
    'subscription_changes',
    async () => makeChange(api.client, await makeTestSubscription()),
    ['payment_demand', 'payment_method'],
  );
  describeRefusedMethods(api, 'subscription_changes');

  it.each<[string, object, string, string]>([
    ['nothing to change', {}, 'invalid', '/data/attributes'],
    ['an amount of 9 cents', { amount_cents: 9 }, 'too_small', '/data/attributes/amount_cents'],
    [
      'an unknown period',
      { billing_period: 'x' },
      'not_in_list',
      '/data/attributes/billing_period',
    ],
    [
      'its charged amount',
      { amount_cents: 20, charged_cents: 1 },
      'read_only',
      '/data/attributes/charged_cents',
    ],
  ])('with %s is refused', async (_title, attributes, code, pointer) => {
    const answer = await requestChange(attributes, {
      payment_subscription: await makeTestSubscription(),
    });
    expect([answer.status, errorsOf(answer)]).toEqual([422, [[code, pointer]]]);
  });

  it.each(['paused', 'cancelled', 'pending'])(
    'of a subscription that is %s is refused',
    async (state) => {
      const subscription =
        state === 'pending' ? await makeSubscription(api.client) : await makeTestSubscription();
      const action = { paused: 'pause', cancelled: 'cancel', pending: undefined }[state];
      if (action)
        await api.client.send('PATCH', `/v2/payment_subscriptions/${subscription.id}/${action}`);
      const answer = await requestChange(
        { amount_cents: 4000 },
        { payment_subscription: subscription },
      );
      expect([answer.status, errorsOf(answer)]).toEqual([422, [['invalid', SUBSCRIPTION_POINTER]]]);
      expect(answer.body.errors?.[0]?.detail).toContain(state);
    },
  );

  it('of an unknown subscription is refused', async () => {
    const unknownSubscription = {
      type: 'payment_subscriptions',
      id: '01935f00-0000-7000-8000-000000000000',
    };
    const answer = await requestChange(
      { amount_cents: 4000 },
      { payment_subscription: unknownSubscription },
    );
    expect([answer.status, errorsOf(answer)]).toEqual([
      404,
      [['relationship_not_found', SUBSCRIPTION_POINTER]],
    ]);
  });

  it('as a preview changes nothing, and shows the result', async () => {
    const payment_subscription = await makeTestSubscription();
    const { body } = await requestChange(
      { amount_cents: 4000, dry_run: true },
      { payment_subscription },
    );
    expect(body.data.attributes).toMatchObject({
      charged_cents: 0,
      credit_cents: 0,
      next_amount_cents: 4000,
      next_billing_at: payment_subscription.attributes.next_billing_at,
    });
    const { id } = payment_subscription;
    expect(await api.client.fetch('payment_subscriptions', id)).toEqual(payment_subscription);
  });

  it('of the card applies to later charges', async () => {
    const payment_subscription = await makeTestSubscription();
    const payment_method = await makeMethod(api.client, 'amex');
    expect((await requestChange({}, { payment_subscription, payment_method })).status).toBe(201);
    const { relationships } = await api.client.fetch(
      'payment_subscriptions',
      payment_subscription.id,
    );
    expect(relationships.payment_method?.data).toMatchObject({ id: payment_method.id });
  });

  it('is calculated once no other change of its subscription is in progress', async () => {
    const payment_subscription = await makeTestSubscription();
    const { db } = api.fixtures;
    const { pendingAnswers, earliest } = await db.transaction(async (tx) => {
      const sql = 'select 1 from payment_subscriptions where id = $1 for update';
      await tx.query(sql, [payment_subscription.id]);
      const answer = requestChange({ amount_cents: 4000 }, { payment_subscription });
      await eventually(
        () => countWaiting(db),
        (count) => count > 0,
      );
      const waitedAt = systemClock().now();
      // Waits for a later instant, so that an earlier change cannot have it.
      const earliest = await eventually(
        async () => systemClock().now(),
        (now) => now > waitedAt,
      );
      return { pendingAnswers: [answer], earliest };
    });
    const [answer] = await Promise.all(pendingAnswers);
    expect(microsOf(answer?.body.data.attributes.created_at)).toBeGreaterThanOrEqual(earliest);
  });

  it("of the card refuses another customer's card", async () => {
    const customer = await makeCustomer(api.client);
    const payment_method = await makeMethod(api.client, 'amex', { customer });
    const answer = await requestChange(
      {},
      { payment_subscription: await makeTestSubscription(), payment_method },
    );
    expect([answer.status, errorsOf(answer)[0]?.[1]]).toEqual([
      422,
      '/data/relationships/payment_method',
    ]);
  });

  it.each<[string, object, object, string]>([
    ['header', {}, { 'idempotency-key': 'a change' }, 'Idempotency-Key'],
    ['attribute', { idempotency_key: 'one' }, {}, '/data/attributes/idempotency_key'],
  ])('repeated with the key of its %s is made once', async (_where, key, headers, source) => {
    const payment_subscription = await makeTestSubscription();
    const changeAmount = (amount_cents: number) =>
      requestChange({ amount_cents, ...key }, { payment_subscription }, headers);
    const answers = [await changeAmount(4000), await changeAmount(4000)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[1]?.body.data.id).toBe(answers[0]?.body.data.id);
    expect(answers[0]?.body.data.attributes).toMatchObject(key);
    const conflictAnswer = await changeAmount(5000);
    expect([conflictAnswer.status, errorsOf(conflictAnswer)]).toEqual([
      409,
      [['idempotency_conflict', source]],
    ]);
  });
});
