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

  it('describes a record with its snapshot', async () => {
    const customer = await makeCustomer(api.client);
    const [event] = await eventsOf(customer.id);
    expect(event?.attributes).toEqual({
      mode: 'sandbox',
      resource_type: 'consumer.customers',
      resource_id: customer.id,
      slug: 'created',
      sequence: 1,
      data: { id: customer.id, type: 'customers', attributes: customer.attributes },
      created_at: expect.any(String),
      recorded_at: expect.any(String),
    });
  });

  it('has the mode of its record', async () => {
    const customer = await makeCustomer(api.live);
    expect(await eventsOf(customer.id)).toEqual([]);
    const { body } = await api.live.get(`/v2/events?filter[resource_id]=${customer.id}`);
    expect(body.data[0].attributes.mode).toBe('live');
  });

  it('is not emitted for an unconfirmed intent', async () => {
    const { id } = await makeDemand(api.client);
    expect(await eventsOf(id)).toEqual([]);
  });

  it('is found by slug and type, and sorted by its time', async () => {
    await makeCustomer(api.client);
    const { body } = await api.client.get(
      '/v2/events?filter[slug]=created&filter[resource_type]=consumer.customers&sort=created_at',
    );
    const times = body.data.map(({ attributes }: ResourceObject) => attributes.created_at);
    expect(times.length).toBeGreaterThan(1);
    expect(times).toEqual(times.toSorted());
  });

  it('can be read oldest first, page by page, from a time on', async () => {
    const [earlierEvent] = await eventsOf((await makeCustomer(api.client)).id);
    const since = earlierEvent?.attributes.created_at;
    const createdIds: string[] = [];
    for (let count = 0; count < 5; count++) createdIds.push((await makeCustomer(api.client)).id);
    const readIds: string[] = [];
    const filters = `filter[created_at][gt]=${encodeURIComponent(since)}&filter[resource_type]=consumer.customers`;
    let path = `/v2/events?${filters}&filter[slug]=created&sort=created_at&page[size]=2`;
    for (let pageCount = 0; path; pageCount++) {
      expect(pageCount).toBeLessThan(4);
      const { status, body } = await api.client.get(path);
      expect([status, body.data.length <= 2]).toEqual([200, true]);
      readIds.push(...body.data.map(({ attributes }: ResourceObject) => attributes.resource_id));
      path = (body.links?.next as string | undefined)?.replace(api.stack.baseUrl, '') ?? '';
    }
    expect(readIds).toEqual(createdIds);
  });

  it('continues after the last event that was read', async () => {
    const { id } = await makeCustomer(api.client);
    const eventsPath = `/v2/events?filter[resource_id]=${id}&sort=created_at&page[size]=10`;
    const profile =
      'application/vnd.api+json;profile="https://jsonapi.org/profiles/ethanresnick/cursor-pagination/"';
    const { body } = await api.client.send('GET', eventsPath, undefined, { accept: profile });
    const cursor = (body.data[0].meta as { page: { cursor: string } }).page.cursor;
    const fetchEventsAfter = async () =>
      (await api.client.get(`${eventsPath}&page[after]=${cursor}`)).body.data;
    expect(await fetchEventsAfter()).toEqual([]);
    for (const name of ['Grace', 'Joan']) {
      await api.client.send('PATCH', `/v2/customers/${id}`, {
        data: { type: 'customers', id, attributes: { name } },
      });
    }
    const sequences = (await fetchEventsAfter()).map(
      ({ attributes }: ResourceObject) => attributes.sequence,
    );
    expect(sequences).toEqual([2, 3]);
  });
});
