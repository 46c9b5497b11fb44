import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { eventually, makeCustomer } from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

const api = useApi();
let receiver: Receiver;
let subscription: ResourceObject;
beforeAll(async () => {
  receiver = await startReceiver({ '/good': () => 204, '/bad': () => 404 });
  subscription = await subscribe('/good');
});
afterAll(() => receiver[Symbol.asyncDispose]());

const subscribe = (path: string): Promise<ResourceObject> =>
  api.client.make('webhook_subscriptions', {
    url: `${receiver.origin}${path}`,
    events: ['consumer.customers.created'],
  });

const deliveryOf = (
  { id }: ResourceObject,
  subscribed: ResourceObject = subscription,
): Promise<ResourceObject> =>
  eventually(
    async () => {
      const { body } = await api.client.get(
        `/v2/webhook_deliveries?filter[event.resource_id]=${id}&filter[webhook_subscription]=${subscribed.id}`,
      );
      return body.data[0];
    },
    (delivery) => delivery?.attributes.status !== 'pending',
  );

describe('a webhook delivery', () => {
  describeReads(api, 'webhook_deliveries', async () => deliveryOf(await makeCustomer(api.client)));
  describeRefusedMethods(api, 'webhook_deliveries');

  it('brings one event to one subscription', async () => {
    const customer = await makeCustomer(api.client);
    const delivery = await deliveryOf(customer);
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

  it('that is refused for good is stopped, with what was answered', async () => {
    const refusing = await subscribe('/bad');
    const { attributes } = await deliveryOf(await makeCustomer(api.client), refusing);
    expect(attributes).toMatchObject({
      status: 'stopped',
      fails_count: 1,
      last_response_status: 404,
      delivered_at: null,
    });
  });

  it('is among those of its subscription', async () => {
    const { id } = await deliveryOf(await makeCustomer(api.client));
    const path = `/v2/webhook_subscriptions/${subscription.id}/relationships/webhook_deliveries`;
    const { body } = await api.client.get(path);
    expect(body.data.map((delivery: ResourceObject) => delivery.id)).toContain(id);
  });
});
