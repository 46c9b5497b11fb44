import { beforeAll, describe, expect, it } from 'vitest';
import { instantText, seconds, systemClock } from '../../src/platform/time/clock.ts';
import { useApi } from '../support/api.ts';
import type { Answer, Relations, ResourceObject } from '../support/client.ts';
import { answerOf, callPay, mountForm, sealCard } from '../support/form.ts';
import { eventually, makeParties, makeSubscription, recurringPurchase } from '../support/make.ts';

const api = useApi();

const DAY_S = 24 * 60 * 60;
const inDays = (days: number): string => instantText(systemClock().now() + seconds(days * DAY_S));

const act = (id: string, action: string): Promise<Answer> =>
  api.client.send('PATCH', `/v2/payment_subscriptions/${id}/${action}`);
const confirm = (id: string): Promise<Answer> => act(id, 'confirm');

/** The subscription, once it has the expected attributes. */
const untilStatus = (
  id: string,
  right: (attributes: ResourceObject['attributes']) => boolean,
): Promise<ResourceObject> =>
  eventually(
    () => api.client.fetch('payment_subscriptions', id),
    ({ attributes }) => right(attributes),
  );
const untilCharged = (id: string) => untilStatus(id, (now) => now.last_processed_at !== null);
const untilFailed = (id: string) => untilStatus(id, (now) => now.failure_reason !== null);

const chargesOf = async (id: string): Promise<ResourceObject[]> => {
  const { body } = await api.client.get(`/v2/payment_demands?filter[payment_subscription]=${id}`);
  return body.data;
};
const slugsOf = async (id: string): Promise<string[]> => {
  const { body } = await api.client.get(`/v2/events?filter[resource_id]=${id}&sort=created_at`);
  return body.data.map(({ attributes }: ResourceObject) => attributes.slug);
};
/** Messages to the network for the only charge of a subscription. */
const attemptsOf = async (id: string): Promise<number> => {
  const [charge, ...more] = await chargesOf(id);
  expect(more).toEqual([]);
  const { body } = await api.client.get(
    `/v2/payment_attempts?filter[payment_demand]=${charge?.id}`,
  );
  return body.data.length;
};

let parties: Relations;
beforeAll(async () => {
  parties = await makeParties(api.client);
});

const makeIntent = (attributes: object = {}): Promise<ResourceObject> =>
  makeSubscription(api.client, attributes, parties);

describe('a confirmed intent', () => {
  it('is charged immediately by its own payment, and is active when that succeeds', async () => {
    const { id } = await makeIntent({ description: 'Roses', slug: 'listed' });
    const { status, body } = await confirm(id);
    expect([status, body.data.id]).toEqual([200, id]);
    const pending = body.data.attributes;
    expect(pending).toMatchObject({
      status: 'pending',
      confirmed: true,
      billing_cycle_anchor_at: pending.updated_at,
      next_billing_at: expect.any(String),
      last_processed_at: null,
      payer_timezone: 'UTC',
    });
    const { attributes } = await untilCharged(id);
    expect(attributes).toMatchObject({
      status: 'active',
      failure_reason: null,
      cvc2_check: 'match',
      last_active_at: attributes.last_processed_at,
      current_period_start_at: pending.billing_cycle_anchor_at,
      current_period_end_at: pending.next_billing_at,
      next_billing_at: pending.next_billing_at,
    });
    const [charge, ...more] = await chargesOf(id);
    expect(more).toEqual([]);
    expect(charge?.attributes).toMatchObject({
      status: 'succeeded',
      confirmed: true,
      amount_cents: recurringPurchase.amount_cents,
      amount_currency: 'USD',
      purchase_reference: recurringPurchase.purchase_reference,
      purchase_kind: 'order',
      description: 'Roses',
      idempotency_key: charge?.id,
      payer_timezone: 'UTC',
      line_items: body.data.attributes.line_items,
    });
    const made = await api.client.fetch('payment_subscriptions', id);
    for (const name of ['payer', 'payment_method', 'billing_address']) {
      expect(charge?.relationships[name]?.data, name).toEqual(made.relationships[name]?.data);
    }
    expect(charge?.relationships.payment_subscription?.data).toEqual({
      type: 'payment_subscriptions',
      id,
    });
    expect((await slugsOf(id)).toSorted()).toEqual(['created', 'updated', 'updated']);
    expect(await slugsOf(charge?.id as string)).toEqual(['created', 'succeeded']);
    const listed = await api.client.get('/v2/payment_subscriptions?filter[slug]=listed');
    expect(listed.body.data.map((record: ResourceObject) => record.id)).toEqual([id]);
  });

  it('by several concurrent requests is charged once; the others are 405', async () => {
    const { id } = await makeIntent();
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(4).fill(405)]);
    await untilCharged(id);
    expect(await attemptsOf(id)).toBe(1);
  });
});

describe('a declined first charge', () => {
  it('leaves the subscription pending with the reason; confirmations send the same payment again, until it is cancelled', async () => {
    const declined = await makeParties(api.client, 'insufficient_funds');
    const { id } = await makeSubscription(api.client, {}, declined);
    await confirm(id);
    const { attributes } = await untilFailed(id);
    expect(attributes).toMatchObject({
      status: 'pending',
      failure_reason: 'insufficient_funds',
      last_processed_at: null,
      current_period_start_at: null,
    });
    const sendAgain = () =>
      api.client.send('PATCH', `/v2/payment_subscriptions/${id}/confirm`, undefined, {
        'idempotency-key': 'again-1',
      });
    const { status, body } = await sendAgain();
    expect([status, body.data.attributes.failure_reason]).toEqual([200, null]);
    await untilFailed(id);
    expect((await sendAgain()).status).toBe(200);
    const [charge, ...more] = await chargesOf(id);
    expect([charge?.attributes.status, more]).toEqual(['failed', []]);
    expect(await slugsOf(charge?.id as string)).toEqual(['created', 'failed', 'updated', 'failed']);
    expect((await slugsOf(id)).toSorted()).toEqual(['created', ...Array(4).fill('updated')]);

    await api.client.send('PATCH', `/v2/payment_demands/${charge?.id}/confirm`);
    await eventually(
      () => slugsOf(id),
      (slugs) => slugs.length === 7,
    );
    expect((await untilFailed(id)).attributes.failure_reason).toBe('insufficient_funds');

    expect((await act(id, 'cancel')).status).toBe(200);
    expect((await confirm(id)).body.errors?.[0]).toMatchObject({
      status: '405',
      meta: { state: 'cancelled', allowed_actions: [] },
    });
  });

  it('is sent again once for concurrent requests', async () => {
    const declined = await makeParties(api.client, 'lost_card');
    const { id } = await makeSubscription(api.client, { confirmed: true }, declined);
    expect((await untilFailed(id)).attributes.status).toBe('active');
    const answers = await Promise.all(Array.from({ length: 4 }, () => confirm(id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(3).fill(405)]);
    await untilFailed(id);
    expect(await attemptsOf(id)).toBe(2);
  });
});

describe('a subscription that is created confirmed', () => {
  it('by concurrent requests with one idempotency key is active immediately, and charged once', async () => {
    const twin = { confirmed: true, idempotency_key: 'roses-1' };
    const twins = await Promise.all(Array.from({ length: 4 }, () => makeIntent(twin)));
    expect(new Set(twins.map(({ id }) => id)).size).toBe(1);
    const { id, attributes } = twins[0] as ResourceObject;
    expect(attributes).toMatchObject({ status: 'active', last_processed_at: null });
    expect((await untilCharged(id)).attributes.status).toBe('active');
    expect(await attemptsOf(id)).toBe(1);
    expect((await slugsOf(id)).toSorted()).toEqual(['created', 'updated']);
  });

  it('with an unknown payer stores neither itself nor a charge', async () => {
    const nobody = { type: 'customers', id: '01935f00-0000-7000-8000-000000000000' };
    const lost = makeSubscription(
      api.client,
      { confirmed: true, purchase_reference: 'lost' },
      { ...parties, payer: nobody },
    );
    await expect(lost).rejects.toThrow('relationship_not_found');
    const { body } = await api.client.get('/v2/payment_demands?filter[purchase_reference]=lost');
    expect(body.data).toEqual([]);
  });
});

describe('an anchor', () => {
  it('on a later day without proration makes it active, and nothing is charged before', async () => {
    const anchor = inDays(10);
    const { id } = await makeIntent({ billing_cycle_anchor_at: anchor });
    const { attributes } = (await confirm(id)).body.data;
    expect(attributes).toMatchObject({
      status: 'active',
      next_billing_at: anchor,
      last_active_at: attributes.updated_at,
      current_period_start_at: null,
    });
    expect(await chargesOf(id)).toEqual([]);
  });

  it('on a later day with proration is charged for the time until then', async () => {
    const anchor = inDays(15);
    const { id } = await makeIntent({
      billing_cycle_anchor_at: anchor,
      proration_behavior: 'create_prorations',
      billing_period: 'thirty_days',
    });
    await confirm(id);
    const { attributes } = await untilCharged(id);
    expect(attributes).toMatchObject({
      status: 'active',
      billing_cycle_anchor_at: anchor,
      next_billing_at: anchor,
      current_period_end_at: anchor,
    });
    const [charge] = await chargesOf(id);
    expect(charge?.attributes.amount_cents).toBe(recurringPurchase.amount_cents / 2);
    expect(attributes.current_period_start_at).toBe(charge?.attributes.created_at);
  });
});

describe('the hosted form of a subscription', () => {
  const pay = async (id: string, card: string) => {
    const { publishable_key } = api.stack.credentials.sandbox;
    const config = await mountForm(api.stack, id, publishable_key);
    const answer = await callPay(api.stack, config.verify_url, await sealCard(config, card));
    const readStatus = async () => {
      const { text } = await callPay(
        api.stack,
        `${config.status_url}?session=${encodeURIComponent(config.session)}`,
      );
      return JSON.parse(text) as { status: string; detail: Record<string, string> };
    };
    return { verified: answerOf(answer), status: readStatus };
  };
  const withoutCard = (): Relations => {
    const { payment_method: _none, ...others } = parties;
    return others;
  };

  it('accepts cards until the subscription is active, and reports each outcome', async () => {
    const { id } = await makeSubscription(api.client, {}, withoutCard());
    const first = await pay(id, 'insufficient_funds');
    expect(first.verified).toMatchObject({
      result: 'verified',
      detail: { payment_subscription: id },
    });
    expect((await first.status()).status).toBe('waiting');
    const { body } = await confirm(id);
    expect(body.data.attributes).toMatchObject({ payer_timezone: 'Europe/Vienna', eci: '05' });
    const declined = await eventually(first.status, (now) => now.status !== 'waiting');
    expect([declined.status, declined.detail.code]).toEqual(['failed', 'insufficient_funds']);

    const second = await pay(id, 'visa');
    expect(second.verified.detail.last_four).toBe('0004');
    expect((await second.status()).status).toBe('waiting');
    await confirm(id);
    const outcome = await eventually(second.status, (now) => now.status !== 'waiting');
    expect(outcome).toEqual({ status: 'approved', detail: { payment_subscription: id } });
    expect((await untilCharged(id)).attributes.status).toBe('active');
    expect(await chargesOf(id)).toHaveLength(1);

    expect((await pay(id, 'visa')).verified).toMatchObject({
      result: 'error',
      detail: { code: 'payment_closed' },
    });
  });
});
