import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Answer, type Client, documentOf, type ResourceObject } from '../support/client.ts';
import { makeCustomer } from '../support/make.ts';
import { errorsOf, patch } from '../support/resource-suite.ts';

const api = useApi();
const makeLimited = async (...permissions: string[]): Promise<Client> =>
  api.as(await (await api.fixtures.demo()).key({ permissions }));

const CUSTOMER = 'consumer.customers.updated';
const PAYMENT = 'transaction.payment_demands.succeeded';
const hookTo = () => ({ url: `https://shop.example/${randomUUID()}`, events: [PAYMENT] });

/** Status, code and pointer of a refusal, and the permission that it names. */
const refusalOf = (answer: Answer): unknown[] => [
  answer.status,
  ...errorsOf(answer).flat(),
  answer.body.errors?.[0]?.meta?.required_permission,
];

describe('the snapshot of an event', () => {
  const events = 'developer.events.read';
  const dataIn = (found: readonly ResourceObject[] = []) =>
    found.map(({ attributes }) => attributes.data);

  it('is null for a key that may not read its record, in every kind of request', async () => {
    const { id } = await makeCustomer(api.client);
    const list = `/v2/events?filter[resource_id]=${id}`;
    const sparse = `${list}&fields[events]=data,slug`;
    const full = (await api.client.get(list)).body.data;
    const client = await makeLimited(events, 'transaction.payment_demands.read');
    for (const path of [list, sparse, `${sparse}&include=merchant`]) {
      const asking = path.includes('include')
        ? await makeLimited(events, 'user.merchants.read')
        : client;
      // A repeated page is cached, but not for callers with fewer permissions.
      for (let times = 0; times < 3; times++) {
        expect(dataIn((await api.client.get(path)).body.data)).toEqual(dataIn(full));
        expect(dataIn((await asking.get(path)).body.data)).toEqual([null]);
      }
    }
    const one = (await client.get(`/v2/events/${full[0].id}`)).body.data;
    expect(one.attributes).toEqual({ ...full[0].attributes, data: null });
  });

  it('is complete for a key that may read its record', async () => {
    const { id, attributes } = await makeCustomer(api.client);
    const client = await makeLimited(events, 'consumer.customers.read');
    for (const fields of ['', '&fields[events]=data']) {
      const { body } = await client.get(`/v2/events?filter[resource_id]=${id}${fields}`);
      expect(dataIn(body.data)).toEqual([{ id, type: 'customers', attributes }]);
    }
  });

  it('is null if it is included with a delivery', async () => {
    await api.client.make('webhook_subscriptions', {
      url: 'http://localhost:9/hook',
      events: ['consumer.customers.created', 'consumer.addresses.created'],
    });
    const { id } = await makeCustomer(api.client);
    const path = `/v2/webhook_deliveries?include=event&filter[event.resource_id]=${id}`;
    const client = await makeLimited(events, 'developer.webhook_deliveries.read');
    expect(dataIn((await api.client.get(path)).body.included)[0]).toMatchObject({ id });
    expect(dataIn((await client.get(path)).body.included)).toEqual([null]);
  });
});

describe('a webhook subscription is created only with permission to read what it sends', () => {
  const subscribe = (client: Client, attributes: object) =>
    client.send(
      'POST',
      '/v2/webhook_subscriptions',
      documentOf('webhook_subscriptions', { ...hookTo(), ...attributes }),
    );
  const create = 'developer.webhook_subscriptions.create';
  const read = 'transaction.payment_demands.read';

  it('for all its events', async () => {
    const client = await makeLimited(create, read);
    expect((await subscribe(client, {})).status).toBe(201);
    const addresses = 'consumer.addresses.created';
    const cases = [
      [CUSTOMER, 'consumer.customers.read'],
      [addresses, 'consumer.consumer_addresses.read'],
    ] as const;
    for (const [code, missing] of cases) {
      const answer = await subscribe(client, { events: [PAYMENT, code] });
      const pointer = '/data/attributes/events/1';
      expect(refusalOf(answer)).toEqual([403, 'forbidden', pointer, missing]);
    }
  });

  it.each([
    ['*', ['consumer.customers.read', read]],
    ['consumer.*', ['consumer.customers.read', 'consumer.consumer_addresses.read']],
    ['transaction.payment_demands.*', [read]],
  ])('for all events that %s matches', async (pattern, held) => {
    const client = await makeLimited(create, ...held);
    const whole = pattern === 'transaction.payment_demands.*';
    const answer = await subscribe(client, { events: [pattern] });
    expect(answer.status).toBe(whole ? 201 : 403);
    if (whole) return;
    expect(errorsOf(answer)).toEqual([['forbidden', '/data/attributes/events/0']]);
    expect((await subscribe(api.client, { events: [pattern] })).status).toBe(201);
  });

  const update = 'developer.webhook_subscriptions.update';
  it.each<[string, object, boolean]>([
    ['another address', { url: 'https://elsewhere.example/hook' }, true],
    ['other events', { events: [CUSTOMER] }, true],
    ['the events that it has', { events: [PAYMENT] }, false],
    ['another pace', { concurrency_limit: 2 }, false],
    ['a pause', { status: 'paused' }, false],
    ['its end', { status: 'archived', url: 'https://ignored.example' }, false],
  ])('also where it gets %s', async (_what, change, isRefused) => {
    const made = await api.client.make('webhook_subscriptions', hookTo());
    const answer = await patch({ client: await makeLimited(update) }, made, change);
    expect(answer.status).toBe(isRefused ? 403 : 200);
    if (!isRefused) return;
    expect(errorsOf(answer)).toEqual([['forbidden', '/data/attributes/events/0']]);
    expect(await api.client.fetch('webhook_subscriptions', made.id)).toEqual(made);
  });

  it('and its address is changed only with permission to read all that it sends', async () => {
    const made = await api.client.make('webhook_subscriptions', hookTo());
    const url = 'https://elsewhere.example/hook';
    const answer = await patch({ client: await makeLimited(update, read) }, made, { url });
    expect([answer.status, answer.body.data.attributes.url]).toEqual([200, url]);
  });
});
