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
  it.each([
    ['60. an attribute', 'fields[customers]=name', ['name'], []],
    [
      '61. an attribute and a relationship',
      'fields[customers]=name,merchant',
      ['name'],
      ['merchant'],
    ],
    ['62. nothing', 'fields[customers]=', [], []],
    [
      '67. two of one type',
      'fields[customers]=name&fields[customers]=email',
      ['email', 'name'],
      [],
    ],
    [
      '67. two as a list',
      'fields[customers][]=name&fields[customers][]=email',
      ['email', 'name'],
      [],
    ],
    ['67. the same twice', 'fields[customers]=name,name', ['name'], []],
    ['67. with encoded brackets', 'fields%5Bcustomers%5D=name', ['name'], []],
  ])('%s: the record has exactly that', async (_what, query, attributes, relationships) => {
    const record = await get(query);
    expect(fieldsOf(record)).toEqual([attributes, relationships]);
    expect(record).toMatchObject({ type: 'customers', id: customer.id, links: customer.links });
  });

  it('63, 64. holds for included records of its type, and others keep all', async () => {
    const { body } = await api.client.get(
      `/v2/payment_demands/${demand.id}?include=payer&fields[customers]=email`,
    );
    expect(fieldsOf(body.included![0]!)).toEqual([['email'], []]);
    expect(body.data).toEqual(demand);
  });

  it('63. holds in lists and related records', async () => {
    const list = await api.client.get('/v2/customers?fields[customers]=email');
    expect(fieldsOf(list.body.data[0])).toEqual([['email'], []]);
    const path = `/v2/payment_demands/${demand.id}/relationships/payer?fields[customers]=email`;
    expect(fieldsOf((await api.client.get(path)).body.data)).toEqual([['email'], []]);
  });

  it.each([
    ['65. a field that does not exist', 'fields[customers]=shoe_size', 'fields[customers]'],
    ['65. a type that does not exist', 'fields[cats]=name', 'fields[cats]'],
    ['65. no type', 'fields=name', 'fields'],
    ['65. a path', 'fields[customers]=merchant.business_name', 'fields[customers]'],
  ])('%s is 400', async (_what, query, parameter) => {
    const answer = await api.client.get(`/v2/customers?${query}`);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['invalid_fields', parameter]]]);
  });

  it('66. is honoured in the answers to writes', async () => {
    const query = 'fields[customers]=description';
    const made = await api.client.send('POST', `/v2/customers?${query}`, {
      data: { type: 'customers', attributes: { email: 'b@example.com', description: 'new' } },
    });
    expect([made.status, made.body.data.attributes]).toEqual([201, { description: 'new' }]);
    const { id } = made.body.data;
    const changed = await api.client.send('PATCH', `/v2/customers/${id}?${query}`, {
      data: { type: 'customers', id, attributes: { description: 'old' } },
    });
    expect([changed.status, changed.body.data.attributes]).toEqual([200, { description: 'old' }]);
  });
});
