import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { makeCustomer } from '../support/make.ts';
import { errorsOf } from '../support/resource-suite.ts';

const api = useApi();
let path: string;
beforeAll(async () => {
  path = `/v2/customers/${(await makeCustomer(api.client)).id}`;
});

async function expectUnknown(query: string, parameter: string): Promise<void> {
  for (const url of ['/v2/customers', path]) {
    const answer = await api.client.get(`${url}?${query}`);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['unknown_parameter', parameter]]]);
  }
}

describe('a query parameter', () => {
  it('#109 that is unknown is 400 and named', () => expectUnknown('foo=1', 'foo'));

  it('#110 that is unknown is 400 in camel case as well', () =>
    expectUnknown('camelCase=1', 'camelCase'));

  it.each([
    ['a+b=1', 'a b'],
    ['[x]=1', '[x]'],
    ['page[=1', 'page['],
    ['page]=1', 'page]'],
    ['include[merchant]=1', 'include[merchant]'],
  ])('#111 with an invalid name is 400: %s', expectUnknown);

  it.each([
    ['Sort=name', 'Sort'],
    ['FILTER[email]=a@example.com', 'FILTER[email]'],
    ['Include=merchant', 'Include'],
  ])('#112 is case-sensitive: %s', expectUnknown);

  it('#113 that is repeated is a union for lists, and else 400', async () => {
    const { status, body } = await api.client.get(`${path}?include=merchant&include=addresses`);
    expect([status, body.included?.length]).toEqual([200, 1]);
    expect(body.data.relationships.addresses.data).toEqual([]);
    const repeatedAnswer = await api.client.get('/v2/customers?page[size]=1&page[size]=2');
    expect([repeatedAnswer.status, errorsOf(repeatedAnswer)]).toEqual([
      400,
      [['invalid_page', 'page[size]']],
    ]);
    const listSlugs = async (filters: string) => {
      const { body: permissionList } = await api.client.get(
        `/v2/permissions?page[size]=500&${filters}`,
      );
      return permissionList.data
        .map(({ attributes }: ResourceObject) => attributes.slug)
        .toSorted();
    };
    const slugs = ['consumer.customers.create', 'consumer.customers.read'];
    const [createSlug, readSlug] = slugs;
    expect(await listSlugs(`filter[slug]=${readSlug}&filter[slug]=${createSlug}`)).toEqual(slugs);
    expect(await listSlugs(`filter[slug][]=${readSlug}&filter[slug]=${createSlug}`)).toEqual(slugs);
    const otherSlugs = await listSlugs(
      `filter[slug][ne]=${readSlug}&filter[slug][ne]=${createSlug}`,
    );
    expect(otherSlugs.filter((slug: string) => slugs.includes(slug))).toEqual([]);
    const timesAnswer = await api.client.get(
      '/v2/customers?filter[created_at_gt]=2026&filter[created_at_gt]=2027',
    );
    expect([timesAnswer.status, errorsOf(timesAnswer)]).toEqual([
      422,
      [['invalid_value', 'filter[created_at_gt]']],
    ]);
  });

  it.each([
    ['include=merchnt', '`merchnt`', '`merchant`'],
    ['include=merchant.acount', '`acount`', '`account`'],
    ['fields[custmers]=name', '`custmers`', '`customers`'],
    ['fields[customers]=nmae', '`nmae`', '`name`'],
    ['sort=-creatd_at', '`creatd_at`', '`created_at`'],
    ['filter[emial]=x', '`emial`', '`email`'],
    ['filter[merchant.busines_name]=x', '`busines_name`', '`business_name`'],
    ['includes=merchant', '`includes`', '`include`'],
    ['filters[email]=x', '`filters`', '`filter`'],
    ['filter[email][liek]=x', 'email has no operator `liek`', '`like`'],
  ])(
    'of an unknown name names it, and the nearest known one: %s',
    async (query, unknownName, knownName) => {
      const answer = await api.client.get(`/v2/customers?${query}`);
      expect(answer.status).toBe(400);
      const detail = answer.body.errors?.[0]?.detail;
      expect(detail).toContain(unknownName);
      expect(detail).toContain(`; the nearest is ${knownName}.`);
    },
  );

  it('that may contain a card number is not repeated in the error', async () => {
    const { body } = await api.client.get('/v2/customers?filter[n123456789]=x');
    expect(body.errors?.[0]?.detail).toMatch(/^customers has no filter of this name\. Accepted:/);
  });

  it.each(['?', '?&', '?=', '?filter=', '?page=&fields=', '?sort=', '?page[after]=&filter[name]='])(
    'that is empty is ignored: %s',
    async (query) => {
      const { status, body } = await api.client.get(`/v2/customers${query}`);
      expect([status, body.data.length]).toEqual([200, 1]);
    },
  );

  it.each([
    ['parameters', 100, Array(101).fill('fields[customers]=name').join('&')],
    ['characters', 32_768, `filter[name]=${'x'.repeat(32_768)}`],
  ])('with too many %s is 400, and names the limit', async (unit, limit, query) => {
    const answer = await api.client.get(`/v2/customers?${query}`);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['query_too_costly', undefined]]]);
    expect(answer.body.errors?.[0]).toMatchObject({
      detail: `A query can have at most ${limit} ${unit}.`,
      meta: { limit },
    });
  });

  it.each(['PATCH', 'POST'])('that is unknown prevents a %s', async (method) => {
    const answer = await api.client.send(
      method,
      `${method === 'POST' ? '/v2/customers' : path}?foo=1`,
      { data: { type: 'customers', attributes: { email: 'b@example.com' } } },
    );
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['unknown_parameter', 'foo']]]);
    expect((await api.client.get('/v2/customers?filter[email]=b@example.com')).body.data).toEqual(
      [],
    );
  });
});
