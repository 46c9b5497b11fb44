import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { Answer, ResourceObject } from '../support/client.ts';
import { eventually, makeCustomer } from '../support/make.ts';
import {
  describeReads,
  describeRefusedMethods,
  errorsOf,
  patch,
} from '../support/resource-suite.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

const api = useApi();
let receiver: Receiver;
let subscription: ResourceObject;
beforeAll(async () => {
  receiver = await startReceiver({
    '/good': () => 204,
    '/bad': () => 404,
    '/often': () => 200,
    '/gone': () => 404,
  });
  subscription = await subscribe('/good');
});
afterAll(() => receiver[Symbol.asyncDispose]());

const subscribe = (path: string): Promise<ResourceObject> =>
  api.client.make('webhook_subscriptions', {
    url: `${receiver.origin}${path}`,
    events: ['consumer.customers.created'],
  });

/** Finds or creates the path's subscription. A URL has at most one. */
const findOrCreateHook = async (path: string): Promise<ResourceObject> => {
  const answer = await api.client.get(
    `/v2/webhook_subscriptions?filter[url]=${encodeURIComponent(receiver.origin + path)}`,
  );
  return answer.body.data[0] ?? subscribe(path);
};

const waitForDelivery = (
  { id }: ResourceObject,
  hook: ResourceObject = subscription,
): Promise<ResourceObject> =>
  eventually(
    async () => {
      const { body } = await api.client.get(
        `/v2/webhook_deliveries?filter[event.resource_id]=${id}&filter[webhook_subscription]=${hook.id}`,
      );
      return body.data[0];
    },
    (delivery) => delivery?.attributes.status !== 'pending',
  );

describe('a webhook delivery', () => {
  describeReads(api, 'webhook_deliveries', async () =>
    waitForDelivery(await makeCustomer(api.client)),
  );
  describeRefusedMethods(api, 'webhook_deliveries');

  it.each([
    ['status', 'sent'],
    ['event.slug', 'suceeded'],
    ['event.resource_type', 'payment_demands'],
    ['webhook_subscription.status', 'stopped'],
  ])('cannot be filtered by an unknown %s', async (path, value) => {
    const answer = await api.client.get(`/v2/webhook_deliveries?filter[${path}]=${value}`);
    expect([answer.status, answer.body.errors?.[0]?.code]).toEqual([422, 'invalid_value']);
    expect(answer.body.errors?.[0]?.detail).not.toContain(`${value}.`);
  });

  it('connects one event to one subscription', async () => {
    const customer = await makeCustomer(api.client);
    const delivery = await waitForDelivery(customer);
    expect(delivery.attributes).toMatchObject({
      status: 'delivered',
      fails_count: 0,
      last_response_status: 204,
      next_attempt_at: null,
      delivered_at: expect.any(String),
    });
    const path = `/v2/webhook_deliveries/${delivery.id}/relationships`;
    const { body } = await api.client.get(`${path}/event`);
    expect(body.data.attributes.resource_id).toBe(customer.id);
    expect((await api.client.get(`${path}/webhook_subscription`)).body.data).toEqual(subscription);
  });

  it('with a final refusal is stopped, with its response', async () => {
    const refusingHook = await findOrCreateHook('/bad');
    const { attributes } = await waitForDelivery(await makeCustomer(api.client), refusingHook);
    expect(attributes).toMatchObject({
      status: 'stopped',
      fails_count: 1,
      last_response_status: 404,
      delivered_at: null,
    });
  });

  it('is listed with its subscription', async () => {
    const { id } = await waitForDelivery(await makeCustomer(api.client));
    const path = `/v2/webhook_subscriptions/${subscription.id}/relationships/webhook_deliveries`;
    const { body } = await api.client.get(path);
    expect(body.data.map((delivery: ResourceObject) => delivery.id)).toContain(id);
  });
});

describe('a redelivery', () => {
  const redeliver = ({ id }: ResourceObject): Promise<Answer> =>
    api.client.send('PATCH', `/v2/webhook_deliveries/${id}/redeliver`);
  /** Ids of the record's events that arrived at the path. */
  const receivedIdsOf = (path: string, { id }: ResourceObject): string[] =>
    receiver
      .requestsTo(path)
      .map(({ body }) => JSON.parse(body).data)
      .filter(({ attributes }) => attributes.resource_id === id)
      .map((event) => event.id);

  it.each([
    ['/good', 0],
    ['/bad', 2],
  ])(
    'at %s is sent again with the same event id, and its attempts continue',
    async (path, failCount) => {
      const hook = path === '/good' ? subscription : await findOrCreateHook(path);
      const customer = await makeCustomer(api.client);
      const { id, attributes } = await waitForDelivery(customer, hook);
      const { status, body } = await redeliver({ id } as ResourceObject);
      expect([status, body.data.attributes.status]).toEqual([200, 'pending']);
      expect(body.data.attributes.fails_count).toBe(attributes.fails_count);
      const redelivery = await eventually(
        () => api.client.fetch('webhook_deliveries', id),
        (delivery) => delivery.attributes.status !== 'pending',
      );
      expect(redelivery.attributes).toMatchObject({
        status: attributes.status,
        attempts_count: 2,
        fails_count: failCount,
        first_try_at: attributes.first_try_at,
      });
      const [firstId, secondId, ...otherIds] = receivedIdsOf(path, customer);
      expect([secondId, otherIds]).toEqual([firstId, []]);
    },
  );

  it('by concurrent requests is sent once', async () => {
    const hook = await findOrCreateHook('/often');
    const customer = await makeCustomer(api.client);
    const delivery = await waitForDelivery(customer, hook);
    await patch(api, hook, { status: 'paused' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => redeliver(delivery)));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    await patch(api, hook, { status: 'active' });
    await waitForDelivery(customer, hook);
    expect(receivedIdsOf('/often', customer)).toHaveLength(2);
  });

  it('is refused for an archived subscription', async () => {
    const hook = await findOrCreateHook('/gone');
    const delivery = await waitForDelivery(await makeCustomer(api.client), hook);
    await patch(api, hook, { status: 'archived' });
    const answer = await redeliver(delivery);
    expect([answer.status, errorsOf(answer)]).toEqual([405, [['invalid_state', undefined]]]);
    expect(await api.client.fetch('webhook_deliveries', delivery.id)).toEqual(delivery);
  });
});
