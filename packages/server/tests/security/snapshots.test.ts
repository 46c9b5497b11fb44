import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Answer, type Client, documentOf, type ResourceObject } from '../support/client.ts';
import { makeCustomer } from '../support/make.ts';
import { errorsOf, patch } from '../support/resource-suite.ts';

const api = useApi();
const makeLimitedClient = async (...permissions: string[]): Promise<Client> =>
  api.as(await (await api.fixtures.getDemoMerchant()).makeKey({ permissions }));

const CUSTOMER_UPDATED = 'consumer.customers.updated';
const PAYMENT_SUCCEEDED = 'transaction.payment_demands.succeeded';
const newHookAttributes = () => ({
  url: `https://shop.example/${randomUUID()}`,
  events: [PAYMENT_SUCCEEDED],
});

/** Status, code and pointer of a refusal, and the permission that it names. */
const refusalOf = (answer: Answer): unknown[] => [
  answer.status,
  ...errorsOf(answer).flat(),
  answer.body.errors?.[0]?.meta?.required_permission,
];

describe('the snapshot of an event', () => {
  const eventPermission = 'developer.events.read';
  const snapshotsOf = (events: readonly ResourceObject[] = []) =>
    events.map(({ attributes }) => attributes.data);

  it('is null for a key that may not read its record, in every kind of request', async () => {
    const { id } = await makeCustomer(api.client);
    const listPath = `/v2/events?filter[resource_id]=${id}`;
    const sparsePath = `${listPath}&fields[events]=data,slug`;
    const fullEvents = (await api.client.get(listPath)).body.data;
    const client = await makeLimitedClient(eventPermission, 'transaction.payment_demands.read');
    for (const path of [listPath, sparsePath, `${sparsePath}&include=merchant`]) {
      const limitedClient = path.includes('include')
        ? await makeLimitedClient(eventPermission, 'user.merchants.read')
        : client;
      // A repeated page is cached, but not for callers with fewer permissions.
      for (let round = 0; round < 3; round++) {
        expect(snapshotsOf((await api.client.get(path)).body.data)).toEqual(
          snapshotsOf(fullEvents),
        );
        expect(snapshotsOf((await limitedClient.get(path)).body.data)).toEqual([null]);
      }
    }
    const event = (await client.get(`/v2/events/${fullEvents[0].id}`)).body.data;
    expect(event.attributes).toEqual({ ...fullEvents[0].attributes, data: null });
  });

  it('is complete for a key that may read its record', async () => {
    const { id, attributes } = await makeCustomer(api.client);
    const client = await makeLimitedClient(eventPermission, 'consumer.customers.read');
    for (const fields of ['', '&fields[events]=data']) {
      const { body } = await client.get(`/v2/events?filter[resource_id]=${id}${fields}`);
      expect(snapshotsOf(body.data)).toEqual([{ id, type: 'customers', attributes }]);
    }
  });

  it('is null if it is included with a delivery', async () => {
    await api.client.make('webhook_subscriptions', {
      url: 'http://localhost:9/hook',
      events: ['consumer.customers.created', 'consumer.addresses.created'],
    });
    const { id } = await makeCustomer(api.client);
    const path = `/v2/webhook_deliveries?include=event&filter[event.resource_id]=${id}`;
    const client = await makeLimitedClient(eventPermission, 'developer.webhook_deliveries.read');
    expect(snapshotsOf((await api.client.get(path)).body.included)[0]).toMatchObject({ id });
    expect(snapshotsOf((await client.get(path)).body.included)).toEqual([null]);
  });
});

describe('a webhook subscription is created only with permission to read what it sends', () => {
  const subscribe = (client: Client, attributes: object) =>
    client.send(
      'POST',
      '/v2/webhook_subscriptions',
      documentOf('webhook_subscriptions', { ...newHookAttributes(), ...attributes }),
    );
  const createPermission = 'developer.webhook_subscriptions.create';
  const readPermission = 'transaction.payment_demands.read';

  it('for all its events', async () => {
    const client = await makeLimitedClient(createPermission, readPermission);
    expect((await subscribe(client, {})).status).toBe(201);
    const addressCreated = 'consumer.addresses.created';
    const cases = [
      [CUSTOMER_UPDATED, 'consumer.customers.read'],
      [addressCreated, 'consumer.consumer_addresses.read'],
    ] as const;
    for (const [slug, missingPermission] of cases) {
      const answer = await subscribe(client, { events: [PAYMENT_SUCCEEDED, slug] });
      const pointer = '/data/attributes/events/1';
      expect(refusalOf(answer)).toEqual([403, 'forbidden', pointer, missingPermission]);
    }
  });

  it.each([
    ['*', ['consumer.customers.read', readPermission]],
    ['consumer.*', ['consumer.customers.read', 'consumer.consumer_addresses.read']],
    ['transaction.payment_demands.*', [readPermission]],
  ])('for all events that %s matches', async (pattern, permissions) => {
    const client = await makeLimitedClient(createPermission, ...permissions);
    const isPermitted = pattern === 'transaction.payment_demands.*';
    const answer = await subscribe(client, { events: [pattern] });
    expect(answer.status).toBe(isPermitted ? 201 : 403);
    if (isPermitted) return;
    expect(errorsOf(answer)).toEqual([['forbidden', '/data/attributes/events/0']]);
    expect((await subscribe(api.client, { events: [pattern] })).status).toBe(201);
  });

  const updatePermission = 'developer.webhook_subscriptions.update';
  it.each<[string, object, boolean]>([
    ['another address', { url: 'https://elsewhere.example/hook' }, true],
    ['other events', { events: [CUSTOMER_UPDATED] }, true],
    ['the events that it has', { events: [PAYMENT_SUCCEEDED] }, false],
    ['another concurrency limit', { concurrency_limit: 2 }, false],
    ['a pause', { status: 'paused' }, false],
    ['its end', { status: 'archived', url: 'https://ignored.example' }, false],
  ])('also where it gets %s', async (_title, change, isRefused) => {
    const subscription = await api.client.make('webhook_subscriptions', newHookAttributes());
    const answer = await patch(
      { client: await makeLimitedClient(updatePermission) },
      subscription,
      change,
    );
    expect(answer.status).toBe(isRefused ? 403 : 200);
    if (!isRefused) return;
    expect(errorsOf(answer)).toEqual([['forbidden', '/data/attributes/events/0']]);
    expect(await api.client.fetch('webhook_subscriptions', subscription.id)).toEqual(subscription);
  });

  it('and its address is changed only with permission to read all that it sends', async () => {
    const subscription = await api.client.make('webhook_subscriptions', newHookAttributes());
    const url = 'https://elsewhere.example/hook';
    const answer = await patch(
      { client: await makeLimitedClient(updatePermission, readPermission) },
      subscription,
      { url },
    );
    expect([answer.status, answer.body.data.attributes.url]).toEqual([200, url]);
  });
});
