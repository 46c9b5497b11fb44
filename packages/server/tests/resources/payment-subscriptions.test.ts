import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Answer, documentOf, type ResourceObject } from '../support/client.ts';
import {
  FAR_AHEAD,
  makeAddress,
  makeCustomer,
  makeParties,
  makeSubscription,
  purchase,
  recurringPurchase,
} from '../support/make.ts';
import {
  describeReads,
  describeRefusals,
  describeRefusedMethods,
  describeUnknownRelations,
  errorsOf,
  patch,
} from '../support/resource-suite.ts';

const api = useApi();
const validAttributes = { amount_cents: 2500, amount_currency: 'USD' };
const makeIntent = (): Promise<ResourceObject> => makeSubscription(api.client);
const subject = { type: 'payment_subscriptions', validAttributes, make: makeIntent } as const;

/** The first charge is later than the test, so nothing changes meanwhile. */
const LATER = FAR_AHEAD;
const makeConfirmedSubscription = async (attributes: object = {}): Promise<ResourceObject> =>
  makeSubscription(
    api.client,
    { confirmed: true, billing_cycle_anchor_at: LATER, ...attributes },
    await makeParties(api.client),
  );

const callAction = ({ id }: { id: string }, action: string): Promise<Answer> =>
  api.client.send('PATCH', `/v2/payment_subscriptions/${id}/${action}`);
const reload = ({ id }: { id: string }): Promise<ResourceObject> =>
  api.client.fetch('payment_subscriptions', id);
const eventSlugsOf = async ({ id }: { id: string }): Promise<string[]> => {
  const { body } = await api.client.get(`/v2/events?filter[resource_id]=${id}&sort=created_at`);
  return body.data.map((event: ResourceObject) => event.attributes.slug);
};

const lifecycleTimes = ['last_processed_at', 'last_active_at', 'last_paused_at'];
const missingParties = ['payer', 'payment_method', 'billing_address'].map((name) => [
  'blank',
  `/data/relationships/${name}`,
]);
const missingErrors = [
  ...['slug', 'billing_period', 'purchase_reference', 'purchase_kind'].map((name) => [
    'blank',
    `/data/attributes/${name}`,
  ]),
  ...missingParties,
  ['too_few_items', '/data/attributes/line_items'],
];

describe('a payment subscription', () => {
  describeReads(api, 'payment_subscriptions', () => makeConfirmedSubscription(), [
    'buyer',
    'payment_demands',
    'payment_link',
    'receiver',
    'shipping_address',
    'subscription_periods',
  ]);
  describeRefusedMethods(api, 'payment_subscriptions');
  describeUnknownRelations(api, subject);
  describeRefusals(api, subject, [
    ['no amount', { amount_cents: undefined }, 'blank'],
    ['the status of a wallet', { threeds_status: 'wallet' }, 'invalid'],
    ['an amount of 9 cents', { amount_cents: 9 }, 'too_small'],
    ['no currency', { amount_currency: undefined }, 'blank'],
    [
      'a currency that the merchant does not take',
      { amount_currency: 'SEK' },
      'currency_not_accepted',
    ],
    ['a slug that begins with a digit', { slug: '1st' }, 'invalid'],
    ['a slug in capitals', { slug: 'Roses' }, 'invalid'],
    ['a period that does not exist', { billing_period: 'one_week' }, 'not_in_list'],
    ['an anchor that is no time', { billing_cycle_anchor_at: 'tomorrow' }, 'invalid'],
    ['a proration that does not exist', { proration_behavior: 'always' }, 'not_in_list'],
    [
      'a notification address that is none',
      { subscription_notification_email: 'nobody' },
      'invalid',
    ],
    ['a state', { status: 'active' }, 'read_only'],
    ['a billing scheme', { billing_scheme: 'tiered' }, 'read_only'],
    ['a time of billing', { next_billing_at: LATER }, 'read_only'],
  ]);
});

describe('an intent of a subscription', () => {
  it('needs only an amount and a currency, is pending, and has no times yet', async () => {
    const { attributes } = await api.client.make('payment_subscriptions', validAttributes);
    expect(attributes).toMatchObject({
      ...validAttributes,
      status: 'pending',
      confirmed: false,
      billing_scheme: 'per_unit',
      proration_behavior: 'none',
      canceled_at_period_end: false,
      alert_receipt: true,
      email_receipt: true,
      billing_cycle_anchor_at: null,
      next_billing_at: null,
      failure_reason: null,
    });
    for (const name of lifecycleTimes) expect(attributes).not.toHaveProperty(name);
  });

  it('is found by its id, is in no list, and emits no event', async () => {
    const subscription = await makeSubscription(api.client, { slug: 'unlisted' });
    expect(await reload(subscription)).toEqual(subscription);
    const { body } = await api.client.get('/v2/payment_subscriptions?filter[slug]=unlisted');
    expect(body.data).toEqual([]);
    await patch(api, subscription, { description: 'Still nobody' });
    await callAction(subscription, 'cancel');
    expect(await eventSlugsOf(subscription)).toEqual([]);
  });

  it('accepts every change that an update may make', async () => {
    const payer = await makeCustomer(api.client);
    const billing_address = await makeAddress(api.client);
    const subscription = await api.client.make('payment_subscriptions', validAttributes);
    const changes = {
      ...purchase,
      amount_cents: 3000,
      slug: 'roses_2',
      billing_period: 'thirty_days',
      billing_cycle_anchor_at: LATER,
      proration_behavior: 'create_prorations',
      description: 'Roses',
      trial_end_at: LATER,
      canceled_at_period_end: true,
      subscription_notification_email: 'roses@example.com',
      email_receipt: false,
      alert_receipt: false,
    };
    const parties = { payer, billing_address };
    const { status, body } = await patch(api, subscription, changes, parties);
    expect([status, body.data.attributes]).toEqual([200, expect.objectContaining(changes)]);
    expect(body.data.relationships.payer.data).toEqual({ type: 'customers', id: payer.id });
    expect(await reload(subscription)).toEqual(body.data);
  });

  it('that is confirmed too early lists what is missing, and does not change', async () => {
    const subscription = await api.client.make('payment_subscriptions', validAttributes);
    const answer = await callAction(subscription, 'confirm');
    expect([answer.status, errorsOf(answer)]).toEqual([422, missingErrors]);
    expect(answer.body.errors?.at(-1)?.title).toBe('should have at least 1 item(s)');
    expect(await reload(subscription)).toEqual(subscription);
  });

  it('with an empty list of items lacks them', async () => {
    const parties = await makeParties(api.client);
    const subscription = await makeSubscription(api.client, { line_items: [] }, parties);
    expect(errorsOf(await callAction(subscription, 'confirm'))).toEqual([
      ['too_few_items', '/data/attributes/line_items'],
    ]);
  });

  it('needs 3-D Secure results if the merchant requires them', async () => {
    const merchant = await api.fixtures.makeMerchant({ threeds_sandbox: 'required' });
    const client = api.as(await merchant.makeKey());
    const subscription = await makeSubscription(client, {}, await makeParties(client));
    const answer = await client.send(
      'PATCH',
      `/v2/payment_subscriptions/${subscription.id}/confirm`,
    );
    expect(errorsOf(answer)[0]).toEqual(['blank', '/data/attributes/threeds_version']);
    expect(answer.body.errors).toHaveLength(5);
  });

  it('refuses 3-D Secure results that prove nothing if the merchant requires them', async () => {
    const merchant = await api.fixtures.makeMerchant({ threeds_sandbox: 'required' });
    const client = api.as(await merchant.makeKey());
    const parties = await makeParties(client);
    for (const threeds_status of ['N', 'R', 'U']) {
      const results = { threeds_version: '2.2.0', threeds_status, eci: '07' };
      const ids = { directory_transaction_eid: 'd', acs_transaction_eid: 'a' };
      const subscription = await makeSubscription(client, { ...results, ...ids }, parties);
      const path = `/v2/payment_subscriptions/${subscription.id}/confirm`;
      expect(errorsOf(await client.send('PATCH', path))).toEqual([
        ['authentication_required', '/data/attributes/threeds_status'],
      ]);
    }
  });
});

describe('a create of a subscription that is confirmed', () => {
  it('lists what is missing, and stores nothing', async () => {
    const attributes = { ...validAttributes, confirmed: true, idempotency_key: 'unfinished' };
    const answer = await api.client.send(
      'POST',
      '/v2/payment_subscriptions',
      documentOf('payment_subscriptions', attributes),
    );
    expect([answer.status, errorsOf(answer)]).toEqual([422, missingErrors]);
    const subscription = await makeSubscription(api.client, { idempotency_key: 'unfinished' });
    expect(subscription.attributes.idempotency_key).toBe('unfinished');
  });

  it('needs an idempotency key, in its body or a header', async () => {
    const parties = await makeParties(api.client);
    const attributes = { ...recurringPurchase, confirmed: true, billing_cycle_anchor_at: LATER };
    const document = documentOf('payment_subscriptions', attributes, parties);
    const post = (headers = {}) =>
      api.client.send('POST', '/v2/payment_subscriptions', document, headers);
    const refusal = await post();
    expect([refusal.status, errorsOf(refusal)]).toEqual([
      422,
      [['blank', '/data/attributes/idempotency_key']],
    ]);
    expect(refusal.body.errors?.[0]?.title).toBe("can't be blank");
    expect((await post({ 'idempotency-key': 'in a header' })).status).toBe(201);
  });

  it('is active immediately, and has its times', async () => {
    const subscription = await makeConfirmedSubscription();
    expect(subscription.attributes).toMatchObject({
      status: 'active',
      confirmed: true,
      billing_cycle_anchor_at: LATER,
      next_billing_at: LATER,
      last_processed_at: null,
      last_active_at: expect.stringMatching(/^20/),
      last_paused_at: null,
      payer_timezone: 'UTC',
    });
    expect(await reload(subscription)).toEqual(subscription);
    expect(await eventSlugsOf(subscription)).toEqual(['created']);
  });

  it('with the key of an earlier one returns that one, and emits its event once', async () => {
    const parties = await makeParties(api.client);
    const attributes = { confirmed: true, billing_cycle_anchor_at: LATER, idempotency_key: 'one' };
    const subscriptions = await Promise.all(
      Array.from({ length: 4 }, () => makeSubscription(api.client, attributes, parties)),
    );
    expect(new Set(subscriptions.map(({ id }) => id)).size).toBe(1);
    expect(await eventSlugsOf(subscriptions[0]!)).toEqual(['created']);
    const otherDocument = documentOf('payment_subscriptions', {
      ...recurringPurchase,
      idempotency_key: 'one',
    });
    const answer = await api.client.send('POST', '/v2/payment_subscriptions', otherDocument);
    expect([answer.status, errorsOf(answer)]).toEqual([
      409,
      [['idempotency_conflict', '/data/attributes/idempotency_key']],
    ]);
  });
});

describe('a subscription', () => {
  let unchangedSubscription: Promise<ResourceObject> | undefined;
  /** Created once, because it refuses every change. */
  const getUnchangedSubscription = (): Promise<ResourceObject> => {
    unchangedSubscription ??= makeConfirmedSubscription();
    return unchangedSubscription;
  };

  it('accepts changes for later charges, and emits events', async () => {
    const subscription = await makeConfirmedSubscription();
    const changes = {
      amount_cents: 3000,
      description: 'More roses',
      discount_cents: 5,
      email_receipt: false,
      alert_receipt: false,
      subscription_notification_email: 'ada@example.com',
    };
    const { status, body } = await patch(api, subscription, changes);
    expect([status, body.data.attributes]).toEqual([200, expect.objectContaining(changes)]);
    expect(await eventSlugsOf(subscription)).toEqual(['created', 'updated']);
  });

  it.each([
    ['slug', 'other'],
    ['billing_period', 'one_day'],
    ['billing_cycle_anchor_at', LATER.replace('-31T', '-30T')],
    ['proration_behavior', 'create_prorations'],
    ['purchase_reference', 'order-2'],
    ['amount_currency', 'EUR'],
  ])('refuses a change of %s, and lists what is allowed', async (name, value) => {
    const subscription = await getUnchangedSubscription();
    const answer = await patch(api, subscription, { [name]: value });
    expect(answer.status).toBe(405);
    expect(answer.body.errors?.[0]).toMatchObject({
      code: 'invalid_state',
      detail: expect.stringContaining(name),
      meta: { state: 'active', allowed_actions: ['update', 'pause', 'cancel'] },
    });
    expect(await reload(subscription)).toEqual(subscription);
  });

  it('cannot lose its items', async () => {
    const answer = await patch(api, await getUnchangedSubscription(), { line_items: [] });
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['too_few_items', '/data/attributes/line_items']],
    ]);
  });

  it('is paused, resumed and cancelled, with an event for each', async () => {
    const subscription = await makeConfirmedSubscription();
    const pausedAttributes = (await callAction(subscription, 'pause')).body.data.attributes;
    expect(pausedAttributes).toMatchObject({
      status: 'paused',
      last_paused_at: pausedAttributes.updated_at,
    });
    const resumedAttributes = (await callAction(subscription, 'resume')).body.data.attributes;
    expect(resumedAttributes).toMatchObject({
      status: 'active',
      last_active_at: resumedAttributes.updated_at,
      last_paused_at: pausedAttributes.last_paused_at,
      next_billing_at: LATER,
    });
    const cancelledAttributes = (await callAction(subscription, 'cancel')).body.data.attributes;
    expect(cancelledAttributes).toMatchObject({
      status: 'cancelled',
      canceled_at: cancelledAttributes.updated_at,
      next_billing_at: null,
    });
    expect(await eventSlugsOf(subscription)).toEqual([
      'created',
      ...['paused', 'resumed', 'cancelled'].flatMap((slug) => ['updated', slug]),
    ]);
  });

  it.each<[string, string[], string[], string[]]>([
    ['active', [], ['confirm', 'resume'], ['update', 'pause', 'cancel']],
    ['paused', ['pause'], ['confirm', 'pause'], ['update', 'resume', 'cancel']],
    ['cancelled', ['cancel'], ['confirm', 'pause', 'resume', 'cancel'], []],
  ])(
    'that is %s answers forbidden actions with 405 and the allowed ones',
    async (state, previousActions, refusedActions, allowedActions) => {
      const subscription = await makeConfirmedSubscription();
      for (const action of previousActions) await callAction(subscription, action);
      for (const action of refusedActions) {
        const answer = await callAction(subscription, action);
        expect([answer.status, answer.body.errors?.[0]]).toEqual([
          405,
          expect.objectContaining({
            code: 'invalid_state',
            detail: expect.stringContaining(action),
            meta: { state, allowed_actions: allowedActions },
          }),
        ]);
        expect(answer.headers.get('allow')).toBeTruthy();
      }
    },
  );

  it('that is an intent cannot be paused or resumed', async () => {
    const subscription = await makeIntent();
    for (const action of ['pause', 'resume']) {
      expect((await callAction(subscription, action)).body.errors?.[0]?.meta).toEqual({
        state: 'pending',
        allowed_actions: ['update', 'confirm', 'cancel'],
      });
    }
  });

  it('that is cancelled takes no update', async () => {
    const subscription = await makeConfirmedSubscription();
    await callAction(subscription, 'cancel');
    expect((await patch(api, subscription, { description: 'Too late' })).status).toBe(405);
  });
});

describe('the times of a subscription', () => {
  it.each(['billing_cycle_anchor_at', 'trial_end_at'])(
    '%s far from now is refused, with a create as with an update',
    async (name) => {
      const subscription = await makeIntent();
      for (const farTime of ['9999-12-31T23:59:59Z', '2000-01-01T00:00:00Z']) {
        const attributes = { ...validAttributes, [name]: farTime };
        const document = documentOf('payment_subscriptions', attributes);
        const createAnswer = await api.client.send('POST', '/v2/payment_subscriptions', document);
        for (const answer of [createAnswer, await patch(api, subscription, { [name]: farTime })]) {
          expect([answer.status, errorsOf(answer)]).toEqual([
            422,
            [['invalid', `/data/attributes/${name}`]],
          ]);
        }
      }
    },
  );

  it('refuse a proration of more than one period at the confirmation', async () => {
    const attributes = { billing_cycle_anchor_at: LATER, proration_behavior: 'create_prorations' };
    const parties = await makeParties(api.client);
    const answer = await callAction(
      await makeSubscription(api.client, attributes, parties),
      'confirm',
    );
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['invalid', '/data/attributes/billing_cycle_anchor_at']],
    ]);
  });

  it('begin with the end of a trial, before which nothing is charged', async () => {
    const attributes = { trial_end_at: LATER };
    const parties = await makeParties(api.client);
    const subscription = await makeSubscription(api.client, attributes, parties);
    expect((await callAction(subscription, 'confirm')).body.data.attributes).toMatchObject({
      status: 'active',
      billing_cycle_anchor_at: LATER,
      next_billing_at: LATER,
    });
    const chargesPath = `/v2/payment_demands?filter[payment_subscription]=${subscription.id}`;
    expect((await api.client.get(chargesPath)).body.data).toEqual([]);
  });
});
