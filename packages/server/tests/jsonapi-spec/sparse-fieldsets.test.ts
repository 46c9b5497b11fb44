import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { makeCustomer, makeDemand } from '../support/make.ts';
import { errorsOf } from '../support/resource-suite.ts';

const api = useApi();
let customer: ResourceObject;
let demand: ResourceObject;
beforeAll(async () => {
  customer = await makeCustomer(api.client);
  demand = await makeDemand(api.client, {}, { payer: customer });
});

const fieldsOf = ({ attributes = {}, relationships = {} }: ResourceObject): string[][] => [
  Object.keys(attributes).sort(),
  Object.keys(relationships).sort(),
];
const get = async (query: string): Promise<ResourceObject> =>
  (await api.client.get(`/v2/customers/${customer.id}?${query}`)).body.data;

describe('a fieldset', () => {
  it('#60 of an attribute shows only this, and no relationship', async () => {
    expect(fieldsOf(await get('fields[customers]=name'))).toEqual([['name'], []]);
  });

  it('#61 of an attribute and a relationship shows these two', async () => {
    expect(fieldsOf(await get('fields[customers]=name,merchant'))).toEqual([
      ['name'],
      ['merchant'],
    ]);
  });

  it('#62 that is empty shows type, id and links', async () => {
    const { type, id, links } = customer;
    expect(await get('fields[customers]=')).toEqual({ type, id, links });
  });

  it('#63 applies to included records of its type', async () => {
    const { body } = await api.client.get(
      `/v2/payment_demands/${demand.id}?include=payer&fields[customers]=email`,
    );
    expect(body.included!.map(fieldsOf)).toEqual([[['email'], []]]);
  });

  it('#64 does not affect records of other types', async () => {
    const { body } = await api.client.get(
      `/v2/payment_demands/${demand.id}?include=payer&fields[customers]=email`,
    );
    expect(body.data).toEqual(demand);
  });

  it('applies in lists and related records', async () => {
    const listAnswer = await api.client.get('/v2/customers?fields[customers]=email');
    expect(fieldsOf(listAnswer.body.data[0])).toEqual([['email'], []]);
    const path = `/v2/payment_demands/${demand.id}/relationships/payer?fields[customers]=email`;
    expect(fieldsOf((await api.client.get(path)).body.data)).toEqual([['email'], []]);
  });

  it.each([
    ['fields[customers]=shoe_size', 'fields[customers]'],
    ['fields[cats]=name', 'fields[cats]'],
    ['fields=name', 'fields'],
    ['fields[customers]=merchant.business_name', 'fields[customers]'],
  ])('#65 with an unknown field or type is 400: %s', async (query, parameter) => {
    const answer = await api.client.get(`/v2/customers?${query}`);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['invalid_fields', parameter]]]);
    expect(answer.body.errors?.[0]?.detail).toContain('Accepted: ');
  });

  it('#66 applies to the answers to writes', async () => {
    const query = 'fields[customers]=description';
    const createAnswer = await api.client.send('POST', `/v2/customers?${query}`, {
      data: { type: 'customers', attributes: { email: 'b@example.com', description: 'new' } },
    });
    expect([createAnswer.status, createAnswer.body.data.attributes]).toEqual([
      201,
      { description: 'new' },
    ]);
    const { id } = createAnswer.body.data;
    const updateAnswer = await api.client.send('PATCH', `/v2/customers/${id}?${query}`, {
      data: { type: 'customers', id, attributes: { description: 'old' } },
    });
    expect([updateAnswer.status, updateAnswer.body.data.attributes]).toEqual([
      200,
      { description: 'old' },
    ]);
  });

  it.each([
    'fields[customers]=name&fields[customers]=email',
    'fields[customers][]=name&fields[customers][]=email',
    'fields%5Bcustomers%5D=name,name,email',
  ])('#67 that is repeated is the union: %s', async (query) => {
    expect(fieldsOf(await get(query))).toEqual([['email', 'name'], []]);
  });
});
