import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import { TESTS } from '../../src/features/webhooks/test-delivery.ts';
import { useApi } from '../support/api.ts';
import { type Answer, documentOf, type ResourceObject } from '../support/client.ts';
import { deliveriesOf } from '../support/hooks.ts';
import { makeCapturedPayment, makeCustomer } from '../support/make.ts';
import { errorsOf, patch } from '../support/resource-suite.ts';
import { type ReceivedRequest, startReceiver } from './receiver.ts';

const api = useApi();
const [succeededEvent, updatedEvent] = [
  'transaction.payment_demands.succeeded',
  'transaction.payment_demands.updated',
];
const EVENTS = [succeededEvent, updatedEvent];
const CREATED = ['consumer.customers.created'];
/** A URL without a subscription. */
const makeUrl = (): string => `https://shop.example/${randomUUID()}`;
const makeHook = (attributes: object = {}): Promise<ResourceObject> =>
  api.client.make('webhook_subscriptions', { url: makeUrl(), events: EVENTS, ...attributes });

const runAction = (hook: ResourceObject, action: string): Promise<Answer> =>
  api.client.send('PATCH', `/v2/webhook_subscriptions/${hook.id}/${action}`);

describe('with several subscriptions to one address', () => {
  const postHook = (attributes: object) =>
    api.client.send(
      'POST',
      '/v2/webhook_subscriptions',
      documentOf('webhook_subscriptions', attributes),
    );
  const refusalOf = ({ status, body }: Answer): unknown[] => {
    const { code, source, meta } = body.errors?.[0] ?? {};
    return [status, code, source, meta];
  };
  const duplicateRefusal = ({ id }: ResourceObject): unknown[] => [
    422,
    'subscription_exists',
    { pointer: '/data/attributes/url' },
    { webhook_subscription: id },
  ];

  it.each([
    ['the same', [succeededEvent, updatedEvent]],
    ['the same in another order', [updatedEvent, succeededEvent]],
    ['the same, one of them twice', [succeededEvent, updatedEvent, succeededEvent]],
  ])('one exists per set of events: not another to %s', async (_title, events) => {
    const hook = await makeHook();
    expect(refusalOf(await postHook({ url: hook.attributes.url, events }))).toEqual(
      duplicateRefusal(hook),
    );
  });

  it.each([
    ['HTTPS://Shop.Example:443/', '/'],
    ['https://shop.example.', '/'],
    ['https://SHOP.example.:0443', '/'],
    ['https://shop.example/', '?'],
  ])('one exists however the address is written: %s', async (start, path) => {
    const name = randomUUID();
    const hook = await makeHook({ url: `https://shop.example${path}${name}` });
    const sameUrl = `${start.replace(/\/$/, '')}${path}${name}`;
    expect(refusalOf(await postHook({ url: sameUrl, events: EVENTS }))).toEqual(
      duplicateRefusal(hook),
    );
    const otherUrl = sameUrl.replace(/example/i, 'example.org');
    expect((await postHook({ url: otherUrl, events: EVENTS })).status).toBe(201);
  });

  it.each([
    ['fewer events', {}, { events: [succeededEvent] }],
    ['another path, by its case', {}, { url: makeUrl().toUpperCase() }],
    ['another address', {}, { url: `${makeUrl()}?b` }],
    ['the same where the first is archived', { status: 'archived' }, {}],
  ])('others are allowed: %s', async (_title, change, otherAttributes) => {
    const hook = await makeHook();
    if (Object.keys(change).length > 0) await patch(api, hook, change);
    const { url } = hook.attributes;
    expect((await postHook({ events: EVENTS, url, ...otherAttributes })).status).toBe(201);
  });

  it('an update creates no duplicate, and may repeat its own values', async () => {
    const [hook, otherHook] = [await makeHook(), await makeHook({ events: [succeededEvent] })];
    const { url } = hook.attributes;
    expect((await patch(api, otherHook, { url })).status).toBe(200);
    expect(
      refusalOf(await patch(api, otherHook, { events: [updatedEvent, succeededEvent] })),
    ).toEqual(duplicateRefusal(hook));
    const ownValues = { url, events: EVENTS, status: 'active' };
    expect((await patch(api, hook, ownValues)).status).toBe(200);
  });

  it('of twelve concurrent creates one succeeds, and others of the batch are not affected', async () => {
    const url = makeUrl();
    const requests = Array.from({ length: 16 }, (_, at) =>
      postHook({ events: EVENTS, url: at % 4 === 0 ? makeUrl() : url }),
    );
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses.filter((_, at) => at % 4 === 0)).toEqual(Array(4).fill(201));
    const duplicateStatuses = statuses.filter((_, at) => at % 4 !== 0).toSorted();
    expect(duplicateStatuses).toEqual([201, ...Array(11).fill(422)]);
  });
});

describe('the secret of a subscription', () => {
  const changeHook = async (hook: ResourceObject, action: string) => {
    const { status, body } = await runAction(hook, action);
    expect(status).toBe(200);
    return body.data.attributes;
  };

  it('is rotated: there is a new one, and the old one stays valid for a day', async () => {
    const hook = await makeHook();
    const rotatedAttributes = await changeHook(hook, 'rotate_secret');
    const { secret_key, previous_secret_expires_at, updated_at } = rotatedAttributes;
    expect(secret_key).toMatch(/^[A-Za-z0-9]{43}$/);
    expect(secret_key).not.toBe(hook.attributes.secret_key);
    expect(Date.parse(previous_secret_expires_at) - Date.parse(updated_at)).toBe(86_400_000);
    const { attributes } = await api.client.fetch('webhook_subscriptions', hook.id);
    expect(attributes).toEqual(rotatedAttributes);
  });

  const isSignedWith = ({ headers, body }: ReceivedRequest, secret: string): boolean => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };

  it('signs together with the previous one, until that is revoked', async () => {
    await using receiver = await startReceiver({ '/hook': () => 200 });
    const hook = await makeHook({ url: `${receiver.origin}/hook`, events: CREATED });
    const secrets = [hook.attributes.secret_key];
    for (let times = 0; times < 2; times++) {
      secrets.push((await changeHook(hook, 'rotate_secret')).secret_key);
    }
    const checkSecrets = async (): Promise<boolean[]> => {
      const countBefore = receiver.requests.length;
      await makeCustomer(api.client);
      await vi.waitFor(() => expect(receiver.requests).toHaveLength(countBefore + 1), 10_000);
      return secrets.map((secret) =>
        isSignedWith(receiver.requests.at(-1) as ReceivedRequest, secret),
      );
    };
    expect(await checkSecrets()).toEqual([false, true, true]);
    const revokedAttributes = await changeHook(hook, 'revoke_previous_secret');
    expect(revokedAttributes).toMatchObject({
      secret_key: secrets[2],
      previous_secret_expires_at: null,
    });
    expect(await checkSecrets()).toEqual([false, false, true]);
    expect(await changeHook(hook, 'revoke_previous_secret')).toEqual(revokedAttributes);
  });

  it.each(['rotate_secret', 'revoke_previous_secret', 'test'])(
    'of an archived subscription does not accept %s',
    async (action) => {
      const hook = await makeHook();
      await patch(api, hook, { status: 'archived' });
      const answer = await runAction(hook, action);
      expect([answer.status, errorsOf(answer)]).toEqual([405, [['invalid_state', undefined]]]);
    },
  );
});

describe('a test of a subscription', () => {
  it('sends one event to it only, whatever it and others list, and without its secret', async () => {
    await using receiver = await startReceiver({ '/hook': () => 200 });
    const hook = await makeHook({ url: `${receiver.origin}/hook` });
    const wildcardHook = await makeHook({ events: ['*'] });
    expect((await runAction(hook, 'test')).status).toBe(200);
    const { body } = await api.client.get(`/v2/events?filter[resource_id]=${hook.id}`);
    expect(body.data.map(({ attributes }: ResourceObject) => attributes)).toEqual([
      expect.objectContaining({
        resource_type: 'developer.webhook_subscriptions',
        slug: 'tested',
        sequence: 1,
        data: expect.objectContaining({ id: hook.id }),
      }),
    ]);
    expect(JSON.stringify(body)).not.toContain(hook.attributes.secret_key);
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(1), 10_000);
    expect(JSON.parse(receiver.requests[0]?.body ?? '').data.id).toBe(body.data[0].id);
    expect(await deliveriesOf(api.client, wildcardHook)).toEqual([]);
  });

  it('is refused while it is paused', async () => {
    const hook = await makeHook();
    await patch(api, hook, { status: 'paused' });
    const { status, body } = await runAction(hook, 'test');
    const allowed_actions = ['update', 'rotate_secret', 'revoke_previous_secret'];
    expect([status, body.errors?.[0]?.meta]).toEqual([405, { state: 'paused', allowed_actions }]);
  });

  it('can be requested a few times a minute', async () => {
    const hook = await makeHook();
    const answers: Answer[] = [];
    for (let times = 0; times <= TESTS.requests; times++)
      answers.push(await runAction(hook, 'test'));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toEqual([...Array(TESTS.requests).fill(200), 429]);
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    const { body } = await api.client.get(`/v2/events?filter[resource_id]=${hook.id}`);
    expect(body.data).toHaveLength(TESTS.requests);
    expect((await runAction(await makeHook(), 'test')).status).toBe(200);
  });
});

it.each(['test', 'redeliver'])('a suspension ends with a manual request by %s', async (action) => {
  await using receiver = await startReceiver({ '/hook': () => 200 });
  const hook = await makeHook({ url: `${receiver.origin}/hook`, events: CREATED });
  const { db } = api.fixtures;
  await db.query(
    `update webhook_subscriptions set fails_in_row = 7, failing_since = now(),
       suspended_until = now() + interval '1 hour' where id = $1`,
    [hook.id],
  );
  await makeCustomer(api.client);
  const [waitingDelivery] = await deliveriesOf(api.client, hook);
  expect((await api.client.get('/sandbox/drain?timeout=10')).status).toBe(204);
  expect(receiver.requests).toEqual([]);
  const answer =
    action === 'test'
      ? await runAction(hook, 'test')
      : await api.client.send('PATCH', `/v2/webhook_deliveries/${waitingDelivery?.id}/redeliver`);
  expect(answer.status).toBe(200);
  await vi.waitFor(() => expect(receiver.requests).toHaveLength(action === 'test' ? 2 : 1), 10_000);
});

describe('a subscription with wildcards', () => {
  it('gets the events that its pattern matches', async () => {
    const patterns = {
      '*': [true, true],
      'consumer.*': [true, false],
      'transaction.payment_demands.*': [false, true],
      'transaction.refund_demands.*': [false, false],
    };
    const hooksByPattern: [string, ResourceObject][] = [];
    for (const pattern of Object.keys(patterns)) {
      const events = [pattern, 'transaction.refund_demands.created'];
      hooksByPattern.push([pattern, await makeHook({ events })]);
    }
    const customer = await makeCustomer(api.client);
    const payment = await makeCapturedPayment(api.client);
    const isDelivered = async (hook: ResourceObject, { id }: ResourceObject): Promise<boolean> =>
      (await deliveriesOf(api.client, hook, `&filter[event.resource_id]=${id}`)).length > 0;
    for (const [pattern, hook] of hooksByPattern) {
      const isDeliveredTo = [await isDelivered(hook, customer), await isDelivered(hook, payment)];
      expect([pattern, isDeliveredTo]).toEqual([
        pattern,
        patterns[pattern as keyof typeof patterns],
      ]);
    }
  });

  it('that overlap gets each event once', async () => {
    const hook = await makeHook({ events: ['*', 'consumer.*', ...CREATED] });
    const { id } = await makeCustomer(api.client);
    const deliveries = await deliveriesOf(api.client, hook, `&filter[event.resource_id]=${id}`);
    expect(deliveries).toHaveLength(1);
  });
});

it('events during a pause are stored, and sent when the subscription is resumed', async () => {
  await using receiver = await startReceiver({ '/hook': () => 200 });
  const hook = await makeHook({ url: `${receiver.origin}/hook`, events: CREATED });
  const pauseAnswer = await patch(api, hook, { status: 'paused' });
  expect(pauseAnswer.body.data.attributes.paused_reason).toBe('merchant');
  const customerIds = [(await makeCustomer(api.client)).id, (await makeCustomer(api.client)).id];
  const pendingDeliveries = await deliveriesOf(api.client, hook);
  expect(pendingDeliveries.map(({ attributes }) => attributes.status)).toEqual([
    'pending',
    'pending',
  ]);
  expect(receiver.requests).toEqual([]);
  const resumeAnswer = await patch(api, hook, { status: 'active' });
  expect(resumeAnswer.body.data.attributes.paused_reason).toBeNull();
  await vi.waitFor(() => expect(receiver.requests).toHaveLength(2), 10_000);
  const resourceIds = receiver.requests.map(
    ({ body }) => JSON.parse(body).data.attributes.resource_id,
  );
  expect(resourceIds.toSorted()).toEqual(customerIds.toSorted());
});
