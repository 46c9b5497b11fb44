import { beforeAll, describe, expect, it } from 'vitest';
import { instantText, seconds, systemClock } from '../../src/platform/time/clock.ts';
import { useApi } from '../support/api.ts';
import type { Answer, Relations, ResourceObject } from '../support/client.ts';
import { answerOf, callPay, mountForm, sealCard } from '../support/form.ts';
import { eventually, makeParties, makeSubscription, recurringPurchase } from '../support/make.ts';

const api = useApi();

const DAY_S = 24 * 60 * 60;
const timeInDays = (days: number): string =>
  instantText(systemClock().now() + seconds(days * DAY_S));

const callAction = (id: string, action: string): Promise<Answer> =>
  api.client.send('PATCH', `/v2/payment_subscriptions/${id}/${action}`);
const confirm = (id: string): Promise<Answer> => callAction(id, 'confirm');

/** Waits until the subscription has the expected attributes. Returns it. */
const waitForSubscription = (
  id: string,
  isExpected: (attributes: ResourceObject['attributes']) => boolean,
): Promise<ResourceObject> =>
  eventually(
    () => api.client.fetch('payment_subscriptions', id),
    ({ attributes }) => isExpected(attributes),
  );
const waitUntilCharged = (id: string) =>
  waitForSubscription(id, (attributes) => attributes.last_processed_at !== null);
const waitUntilFailed = (id: string) =>
  waitForSubscription(id, (attributes) => attributes.failure_reason !== null);

const listCharges = async (id: string): Promise<ResourceObject[]> => {
  const { body } = await api.client.get(`/v2/payment_demands?filter[payment_subscription]=${id}`);
  return body.data;
};
const listSlugs = async (id: string): Promise<string[]> => {
  const { body } = await api.client.get(`/v2/events?filter[resource_id]=${id}&sort=created_at`);
  return body.data.map(({ attributes }: ResourceObject) => attributes.slug);
};
/** Counts messages to the network for the only charge of a subscription. */
const countAttempts = async (id: string): Promise<number> => {
  const [charge, ...otherCharges] = await listCharges(id);
  expect(otherCharges).toEqual([]);
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
    const pendingAttributes = body.data.attributes;
    expect(pendingAttributes).toMatchObject({
      status: 'pending',
      confirmed: true,
      billing_cycle_anchor_at: pendingAttributes.updated_at,
      next_billing_at: expect.any(String),
      last_processed_at: null,
      payer_timezone: 'UTC',
    });
    const { attributes } = await waitUntilCharged(id);
    expect(attributes).toMatchObject({
      status: 'active',
      failure_reason: null,
      cvc2_check: 'match',
      last_active_at: attributes.last_processed_at,
      current_period_start_at: pendingAttributes.billing_cycle_anchor_at,
      current_period_end_at: pendingAttributes.next_billing_at,
      next_billing_at: pendingAttributes.next_billing_at,
    });
    const [charge, ...otherCharges] = await listCharges(id);
    expect(otherCharges).toEqual([]);
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
    const subscription = await api.client.fetch('payment_subscriptions', id);
    for (const name of ['payer', 'payment_method', 'billing_address']) {
      expect(charge?.relationships[name]?.data, name).toEqual(
        subscription.relationships[name]?.data,
      );
    }
    expect(charge?.relationships.payment_subscription?.data).toEqual({
      type: 'payment_subscriptions',
      id,
    });
    expect((await listSlugs(id)).toSorted()).toEqual(['created', 'updated', 'updated']);
    expect(await listSlugs(charge?.id as string)).toEqual(['created', 'succeeded']);
    const listAnswer = await api.client.get('/v2/payment_subscriptions?filter[slug]=listed');
    expect(listAnswer.body.data.map((record: ResourceObject) => record.id)).toEqual([id]);
  });

  it('by several concurrent requests is charged once; the others are 405', async () => {
    const { id } = await makeIntent();
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(4).fill(405)]);
    await waitUntilCharged(id);
    expect(await countAttempts(id)).toBe(1);
  });
});

describe('a declined first charge', () => {
  it('leaves the subscription pending with the reason; confirmations send the same payment again, until it is cancelled', async () => {
    const declinedParties = await makeParties(api.client, 'insufficient_funds');
    const { id } = await makeSubscription(api.client, {}, declinedParties);
    await confirm(id);
    const { attributes } = await waitUntilFailed(id);
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
    await waitUntilFailed(id);
    expect((await sendAgain()).status).toBe(200);
    const [charge, ...otherCharges] = await listCharges(id);
    expect([charge?.attributes.status, otherCharges]).toEqual(['failed', []]);
    expect(await listSlugs(charge?.id as string)).toEqual([
      'created',
      'failed',
      'updated',
      'failed',
    ]);
    expect((await listSlugs(id)).toSorted()).toEqual(['created', ...Array(4).fill('updated')]);

    await api.client.send('PATCH', `/v2/payment_demands/${charge?.id}/confirm`);
    await eventually(
      () => listSlugs(id),
      (slugs) => slugs.length === 7,
    );
    expect((await waitUntilFailed(id)).attributes.failure_reason).toBe('insufficient_funds');

    expect((await callAction(id, 'cancel')).status).toBe(200);
    expect((await confirm(id)).body.errors?.[0]).toMatchObject({
      status: '405',
      meta: { state: 'cancelled', allowed_actions: [] },
    });
  });

  it('is sent again once for concurrent requests', async () => {
    const declinedParties = await makeParties(api.client, 'lost_card');
    const { id } = await makeSubscription(api.client, { confirmed: true }, declinedParties);
    expect((await waitUntilFailed(id)).attributes.status).toBe('active');
    const answers = await Promise.all(Array.from({ length: 4 }, () => confirm(id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(3).fill(405)]);
    await waitUntilFailed(id);
    expect(await countAttempts(id)).toBe(2);
  });
});

describe('a subscription that is created confirmed', () => {
  it('by concurrent requests with one idempotency key is active immediately, and charged once', async () => {
    const twinAttributes = { confirmed: true, idempotency_key: 'roses-1' };
    const subscriptions = await Promise.all(
      Array.from({ length: 4 }, () => makeIntent(twinAttributes)),
    );
    expect(new Set(subscriptions.map(({ id }) => id)).size).toBe(1);
    const { id, attributes } = subscriptions[0] as ResourceObject;
    expect(attributes).toMatchObject({ status: 'active', last_processed_at: null });
    expect((await waitUntilCharged(id)).attributes.status).toBe('active');
    expect(await countAttempts(id)).toBe(1);
    expect((await listSlugs(id)).toSorted()).toEqual(['created', 'updated']);
  });

  it('with an unknown payer stores neither itself nor a charge', async () => {
    const unknownPayer = { type: 'customers', id: '01935f00-0000-7000-8000-000000000000' };
    const creation = makeSubscription(
      api.client,
      { confirmed: true, purchase_reference: 'lost' },
      { ...parties, payer: unknownPayer },
    );
    await expect(creation).rejects.toThrow('relationship_not_found');
    const { body } = await api.client.get('/v2/payment_demands?filter[purchase_reference]=lost');
    expect(body.data).toEqual([]);
  });
});

describe('an anchor', () => {
  it('on a later day without proration makes it active, and nothing is charged before', async () => {
    const anchor = timeInDays(10);
    const { id } = await makeIntent({ billing_cycle_anchor_at: anchor });
    const { attributes } = (await confirm(id)).body.data;
    expect(attributes).toMatchObject({
      status: 'active',
      next_billing_at: anchor,
      last_active_at: attributes.updated_at,
      current_period_start_at: null,
    });
    expect(await listCharges(id)).toEqual([]);
  });

  it('on a later day with proration is charged for the time until then', async () => {
    const anchor = timeInDays(15);
    const { id } = await makeIntent({
      billing_cycle_anchor_at: anchor,
      proration_behavior: 'create_prorations',
      billing_period: 'thirty_days',
    });
    await confirm(id);
    const { attributes } = await waitUntilCharged(id);
    expect(attributes).toMatchObject({
      status: 'active',
      billing_cycle_anchor_at: anchor,
      next_billing_at: anchor,
      current_period_end_at: anchor,
    });
    const [charge] = await listCharges(id);
    expect(charge?.attributes.amount_cents).toBe(recurringPurchase.amount_cents / 2);
    expect(attributes.current_period_start_at).toBe(charge?.attributes.created_at);
  });
});

describe('the hosted form of a subscription', () => {
  const enterCard = async (id: string, card: string) => {
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
    return { verifyAnswer: answerOf(answer), readStatus };
  };
  const makeCardlessRelations = (): Relations => {
    const { payment_method: _none, ...otherRelations } = parties;
    return otherRelations;
  };

  it('accepts cards until the subscription is active, and reports each outcome', async () => {
    const { id } = await makeSubscription(api.client, {}, makeCardlessRelations());
    const firstEntry = await enterCard(id, 'insufficient_funds');
    expect(firstEntry.verifyAnswer).toMatchObject({
      result: 'verified',
      detail: { payment_subscription: id },
    });
    expect((await firstEntry.readStatus()).status).toBe('waiting');
    const { body } = await confirm(id);
    expect(body.data.attributes).toMatchObject({ payer_timezone: 'Europe/Vienna', eci: '05' });
    const declineStatus = await eventually(
      firstEntry.readStatus,
      (current) => current.status !== 'waiting',
    );
    expect([declineStatus.status, declineStatus.detail.code]).toEqual([
      'failed',
      'insufficient_funds',
    ]);

    const secondEntry = await enterCard(id, 'visa');
    expect(secondEntry.verifyAnswer.detail.last_four).toBe('0004');
    expect((await secondEntry.readStatus()).status).toBe('waiting');
    await confirm(id);
    const outcome = await eventually(
      secondEntry.readStatus,
      (current) => current.status !== 'waiting',
    );
    expect(outcome).toEqual({ status: 'approved', detail: { payment_subscription: id } });
    expect((await waitUntilCharged(id)).attributes.status).toBe('active');
    expect(await listCharges(id)).toHaveLength(1);

    expect((await enterCard(id, 'visa')).verifyAnswer).toMatchObject({
      result: 'error',
      detail: { code: 'payment_closed' },
    });
  });
});
