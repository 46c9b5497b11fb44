import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf, type ResourceObject, UNKNOWN_ID } from '../support/client.ts';
import { makeAddress, makeCustomer, makeDemand } from '../support/make.ts';
import { errorsOf } from '../support/resource-suite.ts';

const api = useApi();
let customer: ResourceObject;
let demand: ResourceObject;
let toOnePath: string;
let toManyPath: string;
beforeAll(async () => {
  customer = await makeCustomer(api.client);
  demand = await makeDemand(api.client, {}, { payer: customer });
  await makeAddress(api.client, {}, { customer });
  toOnePath = `/v2/payment_demands/${demand.id}/relationships/payer`;
  toManyPath = `/v2/customers/${customer.id}/relationships/addresses`;
});

/** Relationships change with their record; their own addresses are read-only. */
async function expectReadOnly(method: string, path: string, body: unknown): Promise<void> {
  const bodyBefore = (await api.client.get(path)).body;
  const answer = await api.client.send(method, path, body);
  expect([answer.status, errorsOf(answer)]).toEqual([405, [['method_not_allowed', undefined]]]);
  expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  expect((await api.client.get(path)).body).toEqual(bodyBefore);
}

const identifierOf = (type: string, id: string) => ({ type, id });

describe('the address of a relationship', () => {
  it('#146 returns full records, with its own address as self link', async () => {
    const toOneBody = (await api.client.get(toOnePath)).body;
    expect([toOneBody.data, toOneBody.links.self]).toEqual([
      customer,
      `${api.stack.baseUrl}${toOnePath}`,
    ]);
    const toManyBody = (await api.client.get(toManyPath)).body;
    expect([toManyBody.data[0].attributes.city, toManyBody.links.self]).toEqual([
      'New York',
      `${api.stack.baseUrl}${toManyPath}`,
    ]);
  });

  it('returns only the linkage on request', async () => {
    const { body } = await api.client.get(`${toOnePath}?fields[customers]=`);
    const { type, id, links } = customer;
    expect(body.data).toEqual({ type, id, links });
  });

  it('#147 of one record takes no PATCH', async () => {
    await expectReadOnly('PATCH', toOnePath, { data: null });
    await expectReadOnly('PATCH', toOnePath, { data: identifierOf('customers', customer.id) });
  });

  it('#148 of many records takes no POST', () =>
    expectReadOnly('POST', toManyPath, { data: [identifierOf('consumer_addresses', UNKNOWN_ID)] }));

  it('#149 of many records takes no DELETE', () =>
    expectReadOnly('DELETE', toManyPath, {
      data: [identifierOf('consumer_addresses', UNKNOWN_ID)],
    }));

  it('#150 of many records takes no PATCH, so that nothing is replaced in part', async () => {
    await expectReadOnly('PATCH', toManyPath, { data: [] });
    await expectReadOnly('PUT', toManyPath, { data: [] });
  });

  it('#151 accepts no change that the record itself refuses', async () => {
    const document = documentOf('customers', {}, {}, customer.id);
    const relationships = {
      payment_demands: { data: [identifierOf('payment_demands', UNKNOWN_ID)] },
    };
    const answer = await api.client.send('PATCH', `/v2/customers/${customer.id}`, {
      data: { ...document.data, relationships },
    });
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['read_only', '/data/relationships/payment_demands']],
    ]);
  });

  it('#152 of an empty relationship is 200, and of an unknown record 404', async () => {
    const newCustomer = await makeCustomer(api.client);
    const emptyAnswers = await Promise.all([
      api.client.get(`/v2/payment_demands/${demand.id}/relationships/buyer`),
      api.client.get(`/v2/customers/${newCustomer.id}/relationships/addresses`),
    ]);
    expect(emptyAnswers.map(({ status, body }) => [status, body.data])).toEqual([
      [200, null],
      [200, []],
    ]);
    for (const path of [
      'payment_demands/x/relationships/buyer',
      `customers/${UNKNOWN_ID}/relationships/addresses`,
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
    const fetchShortPath = async (name: string) => {
      const shortAnswer = await fetchPath(`customers/${customer.id}/${name}`);
      expect(shortAnswer).toEqual(
        await fetchPath(`customers/${customer.id}/relationships/${name}`),
      );
      return shortAnswer;
    };
    expect((await fetchShortPath('merchant')).data.type).toBe('merchants');
    expect((await fetchShortPath('addresses?sort=id&page[size]=1')).data).toHaveLength(1);
    expect((await fetchPath(`customers/${UNKNOWN_ID}/merchant`)).status).toBe(404);
    const updateAnswer = await api.client.send(
      'PATCH',
      `/v2/customers/${customer.id}/merchant`,
      {},
    );
    expect([updateAnswer.status, errorsOf(updateAnswer)]).toEqual([
      405,
      [['method_not_allowed', undefined]],
    ]);
  });

  it('of an unknown relationship is 404 either way, and names the nearest', async () => {
    const notFoundWith = (detail: RegExp) => ({
      status: 404,
      error: { code: 'not_found', detail: expect.stringMatching(detail) },
    });
    const namePattern =
      /customers has no relationship( or action)? `adresses`; the nearest is `addresses`\./;
    for (const path of ['relationships/adresses', 'adresses']) {
      expect(await fetchPath(`customers/${customer.id}/${path}`)).toMatchObject(
        notFoundWith(namePattern),
      );
    }
    expect(await fetchPath('custmers')).toMatchObject(
      notFoundWith(/no type `custmers`; the nearest is `customers`\./),
    );
  });

  it('that the key may not read is 403 either way', async () => {
    const permissions = ['consumer.customers.read'];
    const client = api.as(await (await api.fixtures.getDemoMerchant()).makeKey({ permissions }));
    const [longAnswer, shortAnswer] = await Promise.all(
      ['relationships/addresses', 'addresses'].map((path) =>
        fetchPath(`customers/${customer.id}/${path}`, client),
      ),
    );
    expect(shortAnswer).toEqual(longAnswer);
    expect([shortAnswer?.status, shortAnswer?.error.code]).toEqual([403, 'forbidden']);
  });
});
