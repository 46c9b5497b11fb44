import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import {
  type Answer,
  documentOf,
  type Relations,
  type ResourceObject,
  UNKNOWN_ID,
} from '../support/client.ts';
import {
  address,
  makeCustomer,
  makeDemand,
  makeMerge,
  makeMethod,
  makeParties,
} from '../support/make.ts';
import {
  describeReads,
  describeRefusedMethods,
  errorsOf,
  patch,
} from '../support/resource-suite.ts';

const api = useApi();

const requestMerge = (attributes: object, relations: Relations, headers = {}): Promise<Answer> =>
  api.client.send(
    'POST',
    '/v2/customer_merges',
    documentOf('customer_merges', attributes, relations),
    headers,
  );
const fetchCustomer = ({ id }: ResourceObject) => api.client.fetch('customers', id);
const customerOf = ({ relationships }: ResourceObject, name: string): unknown =>
  relationships[name]?.data && (relationships[name].data as ResourceObject).id;
const unknown = { type: 'customers', id: UNKNOWN_ID };
const SOURCE = '/data/relationships/source';
const TARGET = '/data/relationships/target';

describe('a merge of customers', () => {
  describeReads(api, 'customer_merges', () => makeMerge(api.client));
  describeRefusedMethods(api, 'customer_merges');

  it('moves what belongs to the source, and keeps the attributes of the target', async () => {
    const parties = await makeParties(api.client);
    const source = parties.payer as ResourceObject;
    const target = await makeCustomer(api.client, { email: 'ada@home.example', name: 'Ada L.' });
    const payment = await makeDemand(api.client, {}, { ...parties, buyer: source });
    const link = await api.client.make(
      'payment_links',
      { title: 'Roses', amount_cents: 500, amount_currency: 'USD' },
      { customer: source },
    );
    const { body } = await requestMerge({ reason: 'Two accounts' }, { source, target });
    expect(body.data.attributes).toMatchObject({
      dry_run: false,
      reason: 'Two accounts',
      payment_demands_count: 1,
      payment_subscriptions_count: 0,
      payment_methods_count: 1,
      consumer_addresses_count: 1,
      payment_links_count: 1,
      duplicate_cards_count: 0,
      differences: ['email', 'name'],
      completed_at: body.data.attributes.created_at,
    });
    const moved = await Promise.all([
      api.client.fetch('payment_demands', payment.id),
      api.client.fetch('payment_methods', (parties.payment_method as ResourceObject).id),
      api.client.fetch('consumer_addresses', (parties.billing_address as ResourceObject).id),
      api.client.fetch('payment_links', link.id),
    ]);
    expect(
      moved.map((record) => customerOf(record, 'payer') ?? customerOf(record, 'customer')),
    ).toEqual(moved.map(() => target.id));
    expect(customerOf(moved[0] as ResourceObject, 'buyer')).toBe(target.id);
    expect(await fetchCustomer(target)).toEqual(target);
    const merged = await fetchCustomer(source);
    expect(merged.attributes).toMatchObject({
      email: source.attributes.email,
      merged_at: body.data.attributes.created_at,
    });
    expect(customerOf(merged, 'merged_into')).toBe(target.id);
  });

  it('as a preview counts the same, and changes nothing', async () => {
    const source = await makeCustomer(api.client, { phone_number: '+12125550123', locale: 'de' });
    const target = await makeCustomer(api.client, { name: null });
    await makeMethod(api.client, 'visa', { customer: source });
    await makeMethod(api.client, 'amex', { customer: source });
    await makeMethod(api.client, 'visa', { customer: target });
    const preview = await requestMerge({ dry_run: true }, { source, target });
    expect(preview.body.data.attributes).toMatchObject({
      payment_methods_count: 2,
      duplicate_cards_count: 1,
      differences: ['name', 'phone_number', 'locale'],
      completed_at: null,
    });
    expect([await fetchCustomer(source), await fetchCustomer(target)]).toEqual([source, target]);
    const done = await requestMerge({}, { source, target });
    const { differences, payment_methods_count, duplicate_cards_count } = done.body.data.attributes;
    expect(preview.body.data.attributes).toMatchObject({
      differences,
      payment_methods_count,
      duplicate_cards_count,
    });
  });

  it('of a customer with itself is refused', async () => {
    const source = await makeCustomer(api.client);
    const answer = await requestMerge({}, { source, target: source });
    expect([answer.status, errorsOf(answer)]).toEqual([422, [['invalid', TARGET]]]);
  });

  it.each([true, false])('with an unknown customer is 404, as a preview: %s', async (dry_run) => {
    const customer = await makeCustomer(api.client);
    const answers = [
      await requestMerge({ dry_run }, { source: unknown, target: customer }),
      await requestMerge({ dry_run }, { source: customer, target: unknown }),
    ];
    expect(answers.map((answer) => [answer.status, errorsOf(answer)])).toEqual([
      [404, [['relationship_not_found', SOURCE]]],
      [404, [['relationship_not_found', TARGET]]],
    ]);
  });

  it('of a blocked and another customer is refused, and of two blocked ones is not', async () => {
    const [source, target] = [await makeCustomer(api.client), await makeCustomer(api.client)];
    await api.client.send('PATCH', `/v2/customers/${source.id}/block`);
    const answer = await requestMerge({}, { source, target });
    expect([answer.status, errorsOf(answer)]).toEqual([422, [['invalid', SOURCE]]]);
    await api.client.send('PATCH', `/v2/customers/${target.id}/block`);
    expect((await requestMerge({}, { source, target })).status).toBe(201);
  });

  it('of a customer with a sandbox clock is refused', async () => {
    const [source, target] = [await makeCustomer(api.client), await makeCustomer(api.client)];
    await api.client.make('sandbox_clocks', { name: 'Later' }, { customer: target });
    const answer = await requestMerge({}, { source, target });
    expect([answer.status, errorsOf(answer)]).toEqual([422, [['invalid', SOURCE]]]);
  });

  it('with the same idempotency key is done once', async () => {
    const [source, target] = [await makeCustomer(api.client), await makeCustomer(api.client)];
    const key = { idempotency_key: `merge-${source.id}` };
    const answers = await Promise.all([1, 2, 3].map(() => requestMerge(key, { source, target })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    const other = await requestMerge({ ...key, reason: 'Another' }, { source, target });
    expect([other.status, errorsOf(other)[0]?.[0]]).toEqual([409, 'idempotency_conflict']);
  });

  it('emits an event of the source, and of each card and address', async () => {
    const { payer: source } = await makeParties(api.client);
    const target = await makeCustomer(api.client);
    const { body } = await requestMerge({}, { source: source as ResourceObject, target });
    const { created_at } = body.data.attributes;
    const filters = `filter[created_at][gte]=${encodeURIComponent(created_at)}&sort=created_at`;
    const events = await api.client.get(`/v2/events?${filters}`);
    const codes = events.body.data.map(
      ({ attributes }: ResourceObject) => `${attributes.resource_type}.${attributes.slug}`,
    );
    expect(codes.toSorted()).toEqual([
      'consumer.addresses.updated',
      'consumer.customers.merged',
      'consumer.customers.updated',
      'consumer.payment_methods.updated',
    ]);
  });
});

describe('a merged customer', () => {
  const makeMerged = async () => {
    const [source, target] = [await makeCustomer(api.client), await makeCustomer(api.client)];
    await requestMerge({}, { source, target });
    return { source, target };
  };

  it('is in no list, and is shown by its id', async () => {
    const email = `merged-${Date.now()}@example.com`;
    const source = await makeCustomer(api.client, { email });
    const target = await makeCustomer(api.client, { email });
    const listIds = async () =>
      (await api.client.get(`/v2/customers?filter[email]=${email}`)).body.data.map(
        ({ id }: ResourceObject) => id,
      );
    const firstPage = async () => (await api.client.get('/v2/customers')).body.data[0].id;
    expect(await listIds()).toEqual([target.id, source.id]);
    expect(await firstPage()).toBe(target.id);
    await requestMerge({}, { source: target, target: source });
    expect(await listIds()).toEqual([source.id]);
    expect(await firstPage()).toBe(source.id);
    expect((await fetchCustomer(target)).attributes.merged_at).not.toBeNull();
  });

  it.each<[string, (source: ResourceObject) => Promise<Answer>, string]>([
    [
      'a payment',
      async (payer) =>
        api.client.send(
          'POST',
          '/v2/payment_demands',
          documentOf('payment_demands', { amount_cents: 500, amount_currency: 'USD' }, { payer }),
        ),
      '/data/relationships/payer',
    ],
    [
      'an address',
      async (customer) =>
        api.client.send(
          'POST',
          '/v2/consumer_addresses',
          documentOf('consumer_addresses', address, { customer }),
        ),
      '/data/relationships/customer',
    ],
    [
      'another merge as the source',
      async (source) => requestMerge({}, { source, target: await makeCustomer(api.client) }),
      SOURCE,
    ],
    [
      'another merge as the target',
      async (target) => requestMerge({}, { source: await makeCustomer(api.client), target }),
      TARGET,
    ],
    ['another name', (customer) => patch(api, customer, { name: 'Grace' }), '/data'],
    ['a block', ({ id }) => api.client.send('PATCH', `/v2/customers/${id}/block`), '/data'],
  ])('refuses %s with the id of the customer who remains', async (_title, send, pointer) => {
    const { source, target } = await makeMerged();
    const answer = await send(source);
    expect([answer.status, errorsOf(answer)]).toEqual([422, [['customer_merged', pointer]]]);
    expect(answer.body.errors?.[0]).toMatchObject({
      detail: expect.stringContaining(target.id),
      meta: { customer: target.id },
    });
  });

  it('of the other mode is unknown', async () => {
    const { source } = await makeMerged();
    const answer = await api.live.send(
      'POST',
      '/v2/consumer_addresses',
      documentOf('consumer_addresses', address, { customer: source }),
    );
    expect(answer.status).toBe(404);
  });

  it('points to the last customer of a chain', async () => {
    const { source: first, target: second } = await makeMerged();
    const third = await makeCustomer(api.client);
    await requestMerge({}, { source: second, target: third });
    const pointers = await Promise.all([first, second].map(fetchCustomer));
    expect(pointers.map((record) => customerOf(record, 'merged_into'))).toEqual([
      third.id,
      third.id,
    ]);
  });
});
