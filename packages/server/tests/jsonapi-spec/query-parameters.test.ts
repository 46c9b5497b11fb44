import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { makeCustomer } from '../support/make.ts';
import { errorsOf } from '../support/resource-suite.ts';

const api = useApi();
let path: string;
beforeAll(async () => {
  path = `/v2/customers/${(await makeCustomer(api.client)).id}`;
});

describe('a query parameter', () => {
  it.each([
    ['109. an unknown name', 'foo=1', 'foo'],
    ['110. an unknown name with a capital', 'camelCase=1', 'camelCase'],
    ['111. a plus sign', 'a+b=1', 'a b'],
    ['111. brackets without a name', '[x]=1', '[x]'],
    ['111. an unclosed bracket', 'page[=1', 'page['],
    ['111. a closed bracket alone', 'page]=1', 'page]'],
    ['112. a name in capitals', 'Sort=name', 'Sort'],
    ['112. a family in capitals', 'FILTER[email]=a@example.com', 'FILTER[email]'],
    ['a list of includes in brackets', 'include[merchant]=1', 'include[merchant]'],
  ])('%s is 400 and names it', async (_what, query, parameter) => {
    const answer = await api.client.get(`/v2/customers?${query}`);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['unknown_parameter', parameter]]]);
  });

  it.each(['?', '?&', '?=', '?filter=', '?page=&fields=', '?sort='])(
    'that is empty says nothing: %s',
    async (query) => {
      const { status, body } = await api.client.get(`/v2/customers${query}`);
      expect([status, body.data.length]).toEqual([200, 1]);
    },
  );

  it('113. that is repeated is a union for lists', async () => {
    const { status, body } = await api.client.get(`${path}?include=merchant&include=addresses`);
    expect([status, body.included?.length]).toEqual([200, 1]);
    expect(body.data.relationships.addresses.data).toEqual([]);
  });

  it('of which there are more than a hundred is too much', async () => {
    const query = Array(101).fill('fields[customers]=name').join('&');
    const answer = await api.client.get(`${path}?${query}`);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['query_too_costly', undefined]]]);
  });

  it.each(['PATCH', 'POST'])('that is unknown keeps a %s from happening', async (method) => {
    const answer = await api.client.send(
      method,
      `${method === 'POST' ? '/v2/customers' : path}?foo=1`,
      {
        data: { type: 'customers', attributes: { email: 'b@example.com' } },
      },
    );
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['unknown_parameter', 'foo']]]);
    expect((await api.client.get('/v2/customers?filter[email]=b@example.com')).body.data).toEqual(
      [],
    );
  });
});
