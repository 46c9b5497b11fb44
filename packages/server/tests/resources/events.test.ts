import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { makeCustomer, makeDemand } from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const api = useApi();
const eventsOf = async (resource_id: string): Promise<ResourceObject[]> =>
  (await api.client.get(`/v2/events?filter[resource_id]=${resource_id}`)).body.data;

describe('an event', () => {
  describeReads(api, 'events', async () => {
    const { id } = await makeCustomer(api.client);
    return (await eventsOf(id))[0]!;
  });
  describeRefusedMethods(api, 'events');

  it('tells of a record with a snapshot of it', async () => {
    const customer = await makeCustomer(api.client);
    const [event] = await eventsOf(customer.id);
    expect(event?.attributes).toEqual({
      mode: 'sandbox',
      resource_type: 'consumer.customers',
      resource_id: customer.id,
      slug: 'created',
      data: { id: customer.id, type: 'customers', attributes: customer.attributes },
      created_at: expect.any(String),
    });
  });

  it('is of the mode of its record', async () => {
    const customer = await makeCustomer(api.live);
    expect(await eventsOf(customer.id)).toEqual([]);
    const { body } = await api.live.get(`/v2/events?filter[resource_id]=${customer.id}`);
    expect(body.data[0].attributes.mode).toBe('live');
  });

  it('is not made of an intent, which nobody has confirmed', async () => {
    const { id } = await makeDemand(api.client);
    expect(await eventsOf(id)).toEqual([]);
  });

  it('is found by slug and type, and can be sorted by its time', async () => {
    await makeCustomer(api.client);
    const { body } = await api.client.get(
      '/v2/events?filter[slug]=created&filter[resource_type]=consumer.customers&sort=created_at',
    );
    const times = body.data.map(({ attributes }: ResourceObject) => attributes.created_at);
    expect(times.length).toBeGreaterThan(1);
    expect(times).toEqual(times.toSorted());
  });
});
