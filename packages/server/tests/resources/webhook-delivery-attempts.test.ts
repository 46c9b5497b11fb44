import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { deliveriesOf, makeDelivery, makeHook } from '../support/hooks.ts';
import { eventually, makeCustomer } from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';
import { startReceiver } from '../webhooks/receiver.ts';

const api = useApi();

const waitForAttempts = (
  { id }: ResourceObject,
  count: number,
  query = '',
): Promise<ResourceObject[]> =>
  eventually(
    async () => {
      const path = `/v2/webhook_deliveries/${id}/relationships/webhook_delivery_attempts${query}`;
      return (await api.client.get(path)).body.data;
    },
    ({ length }) => length >= count,
  );

describe('an attempt of a webhook delivery', () => {
  describeReads(api, 'webhook_delivery_attempts', async () => {
    const [attempt] = await waitForAttempts(await makeDelivery(api.client), 1);
    return attempt as ResourceObject;
  });
  describeRefusedMethods(api, 'webhook_delivery_attempts');

  it('contains the response: status, headers, and the first kilobyte', async () => {
    await using receiver = await startReceiver({
      '/hook': (nth, response) => {
        response.writeHead(nth === 0 ? 404 : 200, { 'x-shop': 'roses' }).end('é'.repeat(2_000));
        return undefined;
      },
    });
    const hook = await makeHook(api.client, { url: `${receiver.origin}/hook` });
    await makeCustomer(api.client);
    const [delivery] = (await deliveriesOf(api.client, hook)) as [ResourceObject];
    await waitForAttempts(delivery, 1);
    await api.client.send('PATCH', `/v2/webhook_deliveries/${delivery.id}/redeliver`);
    const attempts = await waitForAttempts(delivery, 2);
    expect(
      attempts.map(({ attributes }) => [attributes.number, attributes.response_status]),
    ).toEqual([
      [2, 200],
      [1, 404],
    ]);
    for (const { attributes } of attempts) {
      expect(attributes.response_headers).toMatchObject({ 'x-shop': 'roses' });
      expect(attributes.response_body).toMatch(/^é+$/);
      expect(Buffer.byteLength(attributes.response_body)).toBeLessThanOrEqual(1_024);
      expect(attributes).toMatchObject({ error: null, duration_ms: expect.any(Number) });
    }
  });

  it('has the reason for a missing response', async () => {
    const [attempt] = await waitForAttempts(await makeDelivery(api.client), 1);
    expect(attempt?.attributes).toMatchObject({
      number: 1,
      response_status: null,
      response_headers: null,
      response_body: null,
      error: expect.stringMatching(/^connection_failed/),
    });
  });
});
