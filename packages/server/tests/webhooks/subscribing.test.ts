import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import { TESTS } from '../../src/features/webhooks/test-delivery.ts';
import { useApi } from '../support/api.ts';
import { type Answer, documentOf, type ResourceObject } from '../support/client.ts';
import { deliveriesOf } from '../support/hooks.ts';
import { makeCapturedPayment, makeCustomer } from '../support/make.ts';
import { errorsOf, patch } from '../support/resource-suite.ts';
import { type Received, startReceiver } from './receiver.ts';

const api = useApi();
const [one, other] = [
  'transaction.payment_demands.succeeded',
  'transaction.payment_demands.updated',
];
const EVENTS = [one, other];
const CREATED = ['consumer.customers.created'];
/** A URL without a subscription. */
const freshUrl = (): string => `https://shop.example/${randomUUID()}`;
const make = (attributes: object = {}): Promise<ResourceObject> =>
  api.client.make('webhook_subscriptions', { url: freshUrl(), events: EVENTS, ...attributes });

const act = (hook: ResourceObject, action: string): Promise<Answer> =>
  api.client.send('PATCH', `/v2/webhook_subscriptions/${hook.id}/${action}`);

describe('with several subscriptions to one address', () => {
  const post = (attributes: object) =>
    api.client.send(
      'POST',
      '/v2/webhook_subscriptions',
      documentOf('webhook_subscriptions', attributes),
    );
  const refusalOf = ({ status, body }: Answer): unknown[] => {
    const { code, source, meta } = body.errors?.[0] ?? {};
    return [status, code, source, meta];
  };
  const existsRefusal = ({ id }: ResourceObject): unknown[] => [
    422,
    'subscription_exists',
    { pointer: '/data/attributes/url' },
    { webhook_subscription: id },
  ];

  it.each([
    ['the same', [one, other]],
    ['the same in another order', [other, one]],
    ['the same, one of them twice', [one, other, one]],
  ])('one exists per set of events: not another to %s', async (_what, events) => {
    const made = await make();
    expect(refusalOf(await post({ url: made.attributes.url, events }))).toEqual(
      existsRefusal(made),
    );
  });

  it.each([
    ['HTTPS://Shop.Example:443/', '/'],
    ['https://shop.example.', '/'],
    ['https://SHOP.example.:0443', '/'],
    ['https://shop.example/', '?'],
  ])('one exists however the address is written: %s', async (start, path) => {
    const name = randomUUID();
    const made = await make({ url: `https://shop.example${path}${name}` });
    const again = `${start.replace(/\/$/, '')}${path}${name}`;
    expect(refusalOf(await post({ url: again, events: EVENTS }))).toEqual(existsRefusal(made));
    const elsewhere = again.replace(/example/i, 'example.org');
    expect((await post({ url: elsewhere, events: EVENTS })).status).toBe(201);
  });

  it.each([
    ['fewer events', {}, { events: [one] }],
    ['another path, by its case', {}, { url: freshUrl().toUpperCase() }],
    ['another address', {}, { url: `${freshUrl()}?b` }],
    ['the same where the first is archived', { status: 'archived' }, {}],
  ])('others are allowed: %s', async (_what, change, different) => {
    const made = await make();
    if (Object.keys(change).length > 0) await patch(api, made, change);
    const { url } = made.attributes;
    expect((await post({ events: EVENTS, url, ...different })).status).toBe(201);
  });

  it('an update creates no duplicate, and may repeat its own values', async () => {
    const [first, second] = [await make(), await make({ events: [one] })];
    const { url } = first.attributes;
    expect((await patch(api, second, { url })).status).toBe(200);
    expect(refusalOf(await patch(api, second, { events: [other, one] }))).toEqual(
      existsRefusal(first),
    );
    const same = { url, events: EVENTS, status: 'active' };
    expect((await patch(api, first, same)).status).toBe(200);
  });

  it('of twelve concurrent creates one succeeds, and others of the batch are not affected', async () => {
    const url = freshUrl();
    const requests = Array.from({ length: 16 }, (_, at) =>
      post({ events: EVENTS, url: at % 4 === 0 ? freshUrl() : url }),
    );
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses.filter((_, at) => at % 4 === 0)).toEqual(Array(4).fill(201));
    const alike = statuses.filter((_, at) => at % 4 !== 0).toSorted();
    expect(alike).toEqual([201, ...Array(11).fill(422)]);
  });
});

describe('the secret of a subscription', () => {
  const changeHook = async (hook: ResourceObject, action: string) => {
    const { status, body } = await act(hook, action);
    expect(status).toBe(200);
    return body.data.attributes;
  };

  it('is rotated: there is a new one, and the old one stays valid for a day', async () => {
    const made = await make();
    const rotated = await changeHook(made, 'rotate_secret');
    const { secret_key, previous_secret_expires_at, updated_at } = rotated;
    expect(secret_key).toMatch(/^[A-Za-z0-9]{43}$/);
    expect(secret_key).not.toBe(made.attributes.secret_key);
    expect(Date.parse(previous_secret_expires_at) - Date.parse(updated_at)).toBe(86_400_000);
    const { attributes } = await api.client.fetch('webhook_subscriptions', made.id);
    expect(attributes).toEqual(rotated);
  });

  const isSignedWith = ({ headers, body }: Received, secret: string): boolean => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };

  it('signs together with the previous one, until that is revoked', async () => {
    await using receiver = await startReceiver({ '/hook': () => 200 });
    const made = await make({ url: `${receiver.origin}/hook`, events: CREATED });
    const secrets = [made.attributes.secret_key];
    for (let times = 0; times < 2; times++) {
      secrets.push((await changeHook(made, 'rotate_secret')).secret_key);
    }
    const goodWith = async (): Promise<boolean[]> => {
      const before = receiver.received.length;
      await makeCustomer(api.client);
      await vi.waitFor(() => expect(receiver.received).toHaveLength(before + 1), 10_000);
      return secrets.map((secret) => isSignedWith(receiver.received.at(-1) as Received, secret));
    };
    expect(await goodWith()).toEqual([false, true, true]);
    const revoked = await changeHook(made, 'revoke_previous_secret');
    expect(revoked).toMatchObject({ secret_key: secrets[2], previous_secret_expires_at: null });
    expect(await goodWith()).toEqual([false, false, true]);
    expect(await changeHook(made, 'revoke_previous_secret')).toEqual(revoked);
  });

  it.each(['rotate_secret', 'revoke_previous_secret', 'test'])(
    'of an archived subscription does not accept %s',
    async (action) => {
      const made = await make();
      await patch(api, made, { status: 'archived' });
      const answer = await act(made, action);
      expect([answer.status, errorsOf(answer)]).toEqual([405, [['invalid_state', undefined]]]);
    },
  );
});

describe('a test of a subscription', () => {
  it('sends one event to it only, whatever it and others list, and without its secret', async () => {
    await using receiver = await startReceiver({ '/hook': () => 200 });
    const made = await make({ url: `${receiver.origin}/hook` });
    const all = await make({ events: ['*'] });
    expect((await act(made, 'test')).status).toBe(200);
    const { body } = await api.client.get(`/v2/events?filter[resource_id]=${made.id}`);
    expect(body.data.map(({ attributes }: ResourceObject) => attributes)).toEqual([
      expect.objectContaining({
        resource_type: 'developer.webhook_subscriptions',
        slug: 'tested',
        sequence: 1,
        data: expect.objectContaining({ id: made.id }),
      }),
    ]);
    expect(JSON.stringify(body)).not.toContain(made.attributes.secret_key);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 10_000);
    expect(JSON.parse(receiver.received[0]?.body ?? '').data.id).toBe(body.data[0].id);
    expect(await deliveriesOf(api.client, all)).toEqual([]);
  });

  it('is refused while it is paused', async () => {
    const made = await make();
    await patch(api, made, { status: 'paused' });
    const { status, body } = await act(made, 'test');
    const allowed_actions = ['update', 'rotate_secret', 'revoke_previous_secret'];
    expect([status, body.errors?.[0]?.meta]).toEqual([405, { state: 'paused', allowed_actions }]);
  });

  it('can be requested a few times a minute', async () => {
    const made = await make();
    const answers: Answer[] = [];
    for (let times = 0; times <= TESTS.requests; times++) answers.push(await act(made, 'test'));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toEqual([...Array(TESTS.requests).fill(200), 429]);
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    const { body } = await api.client.get(`/v2/events?filter[resource_id]=${made.id}`);
    expect(body.data).toHaveLength(TESTS.requests);
    expect((await act(await make(), 'test')).status).toBe(200);
  });
});

it.each(['test', 'redeliver'])('a suspension ends with a manual request by %s', async (action) => {
  await using receiver = await startReceiver({ '/hook': () => 200 });
  const made = await make({ url: `${receiver.origin}/hook`, events: CREATED });
  const { db } = api.fixtures;
  await db.query(
    `update webhook_subscriptions set fails_in_row = 7, failing_since = now(),
       suspended_until = now() + interval '1 hour' where id = $1`,
    [made.id],
  );
  await makeCustomer(api.client);
  const [waiting] = await deliveriesOf(api.client, made);
  expect((await api.client.get('/sandbox/drain?timeout=10')).status).toBe(204);
  expect(receiver.received).toEqual([]);
  const answer =
    action === 'test'
      ? await act(made, 'test')
      : await api.client.send('PATCH', `/v2/webhook_deliveries/${waiting?.id}/redeliver`);
  expect(answer.status).toBe(200);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(action === 'test' ? 2 : 1), 10_000);
});

describe('a subscription with wildcards', () => {
  it('gets the events that its pattern matches', async () => {
    const patterns = {
      '*': [true, true],
      'consumer.*': [true, false],
      'transaction.payment_demands.*': [false, true],
      'transaction.refund_demands.*': [false, false],
    };
    const made: [string, ResourceObject][] = [];
    for (const pattern of Object.keys(patterns)) {
      const events = [pattern, 'transaction.refund_demands.created'];
      made.push([pattern, await make({ events })]);
    }
    const customer = await makeCustomer(api.client);
    const payment = await makeCapturedPayment(api.client);
    const isDelivered = async (hook: ResourceObject, { id }: ResourceObject): Promise<boolean> =>
      (await deliveriesOf(api.client, hook, `&filter[event.resource_id]=${id}`)).length > 0;
    for (const [pattern, hook] of made) {
      const got = [await isDelivered(hook, customer), await isDelivered(hook, payment)];
      expect([pattern, got]).toEqual([pattern, patterns[pattern as keyof typeof patterns]]);
    }
  });

  it('that overlap gets each event once', async () => {
    const made = await make({ events: ['*', 'consumer.*', ...CREATED] });
    const { id } = await makeCustomer(api.client);
    const got = await deliveriesOf(api.client, made, `&filter[event.resource_id]=${id}`);
    expect(got).toHaveLength(1);
  });
});

it('events during a pause are stored, and sent when the subscription is resumed', async () => {
  await using receiver = await startReceiver({ '/hook': () => 200 });
  const made = await make({ url: `${receiver.origin}/hook`, events: CREATED });
  const paused = await patch(api, made, { status: 'paused' });
  expect(paused.body.data.attributes.paused_reason).toBe('merchant');
  const ids = [(await makeCustomer(api.client)).id, (await makeCustomer(api.client)).id];
  const kept = await deliveriesOf(api.client, made);
  expect(kept.map(({ attributes }) => attributes.status)).toEqual(['pending', 'pending']);
  expect(receiver.received).toEqual([]);
  const resumed = await patch(api, made, { status: 'active' });
  expect(resumed.body.data.attributes.paused_reason).toBeNull();
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), 10_000);
  const resourceIds = receiver.received.map(
    ({ body }) => JSON.parse(body).data.attributes.resource_id,
  );
  expect(resourceIds.toSorted()).toEqual(ids.toSorted());
});
