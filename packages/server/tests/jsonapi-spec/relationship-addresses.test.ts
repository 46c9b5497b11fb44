import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf, NOBODY, type ResourceObject } from '../support/client.ts';
import { makeAddress, makeCustomer, makeDemand } from '../support/make.ts';
import { errorsOf } from '../support/resource-suite.ts';

const api = useApi();
let customer: ResourceObject;
let demand: ResourceObject;
let to_one: string;
let to_many: string;
beforeAll(async () => {
  customer = await makeCustomer(api.client);
  demand = await makeDemand(api.client, {}, { payer: customer });
  await makeAddress(api.client, {}, { customer });
  to_one = `/v2/payment_demands/${demand.id}/relationships/payer`;
  to_many = `/v2/customers/${customer.id}/relationships/addresses`;
});

/** Relationships change with their record; their own addresses are read-only. */
async function expectReadOnly(method: string, path: string, body: unknown): Promise<void> {
  const before = (await api.client.get(path)).body;
  const answer = await api.client.send(method, path, body);
  expect([answer.status, errorsOf(answer)]).toEqual([405, [['method_not_allowed', undefined]]]);
  expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  expect((await api.client.get(path)).body).toEqual(before);
}

const linkage = (type: string, id: string) => ({ type, id });

describe('the address of a relationship', () => {
  it('#146 returns full records, with its own address as self link', async () => {
    const one = (await api.client.get(to_one)).body;
    expect([one.data, one.links.self]).toEqual([customer, `${api.stack.baseUrl}${to_one}`]);
    const many = (await api.client.get(to_many)).body;
    expect([many.data[0].attributes.city, many.links.self]).toEqual([
      'New York',
      `${api.stack.baseUrl}${to_many}`,
    ]);
  });

  it('returns only the linkage on request', async () => {
    const { body } = await api.client.get(`${to_one}?fields[customers]=`);
    const { type, id, links } = customer;
    expect(body.data).toEqual({ type, id, links });
  });

  it('#147 of one record takes no PATCH', async () => {
    await expectReadOnly('PATCH', to_one, { data: null });
    await expectReadOnly('PATCH', to_one, { data: linkage('customers', customer.id) });
  });

  it('#148 of many records takes no POST', () =>
    expectReadOnly('POST', to_many, { data: [linkage('consumer_addresses', NOBODY)] }));

  it('#149 of many records takes no DELETE', () =>
    expectReadOnly('DELETE', to_many, { data: [linkage('consumer_addresses', NOBODY)] }));

  it('#150 of many records takes no PATCH, so that nothing is replaced in part', async () => {
    await expectReadOnly('PATCH', to_many, { data: [] });
    await expectReadOnly('PUT', to_many, { data: [] });
  });

  it('#151 accepts no change that the record itself refuses', async () => {
    const document = documentOf('customers', {}, {}, customer.id);
    const relationships = { payment_demands: { data: [linkage('payment_demands', NOBODY)] } };
    const answer = await api.client.send('PATCH', `/v2/customers/${customer.id}`, {
      data: { ...document.data, relationships },
    });
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['read_only', '/data/relationships/payment_demands']],
    ]);
  });

  it('#152 of an empty relationship is 200, and of an unknown record 404', async () => {
    const lonely = await makeCustomer(api.client);
    const empty = await Promise.all([
      api.client.get(`/v2/payment_demands/${demand.id}/relationships/buyer`),
      api.client.get(`/v2/customers/${lonely.id}/relationships/addresses`),
    ]);
    expect(empty.map(({ status, body }) => [status, body.data])).toEqual([
      [200, null],
      [200, []],
    ]);
    for (const path of [
      'payment_demands/x/relationships/buyer',
      `customers/${NOBODY}/relationships/addresses`,
    ]) {
      const answer = await api.client.get(`/v2/${path}`);
      expect([answer.status, errorsOf(answer)]).toEqual([404, [['not_found', undefined]]]);
    }
  });

  const fetchPath = async (path: string, client = api.client) => {
    const { status, body } = await client.get(`/v2/${path}`);
    const [{ code, detail, meta } = { code: '', detail: '', meta: {} }] = body.errors ?? [];
    return { status, data: body.data, links: body.links, error: { code, detail, meta } };
  };

  it('may be used without `relationships`', async () => {
    const read = async (name: string) => {
      const short = await fetchPath(`customers/${customer.id}/${name}`);
      expect(short).toEqual(await fetchPath(`customers/${customer.id}/relationships/${name}`));
      return short;
    };
    expect((await read('merchant')).data.type).toBe('merchants');
    expect((await read('addresses?sort=id&page[size]=1')).data).toHaveLength(1);
    expect((await fetchPath(`customers/${NOBODY}/merchant`)).status).toBe(404);
    const patched = await api.client.send('PATCH', `/v2/customers/${customer.id}/merchant`, {});
    expect([patched.status, errorsOf(patched)]).toEqual([405, [['method_not_allowed', undefined]]]);
  });

  it('of an unknown relationship is 404 either way, and names the nearest', async () => {
    const notFoundWith = (detail: RegExp) => ({
      status: 404,
      error: { code: 'not_found', detail: expect.stringMatching(detail) },
    });
    const name = /customers has no relationship( or action)? `adresses`\. Nearest: `addresses`\./;
    for (const path of ['relationships/adresses', 'adresses']) {
      expect(await fetchPath(`customers/${customer.id}/${path}`)).toMatchObject(notFoundWith(name));
    }
    expect(await fetchPath('custmers')).toMatchObject(
      notFoundWith(/no type `custmers`\. Nearest: `customers`\./),
    );
  });

  it('that the key may not read is 403 either way', async () => {
    const permissions = ['consumer.customers.read'];
    const client = api.as(await (await api.fixtures.demo()).key({ permissions }));
    const [long, short] = await Promise.all(
      ['relationships/addresses', 'addresses'].map((path) =>
        fetchPath(`customers/${customer.id}/${path}`, client),
      ),
    );
    expect(short).toEqual(long);
    expect([short?.status, short?.error.code]).toEqual([403, 'forbidden']);
  });
});
