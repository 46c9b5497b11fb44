import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { makeAddress, makeCustomer, makeDemand } from '../support/make.ts';
import { errorsOf } from '../support/resource-suite.ts';

const api = useApi();
let ada: ResourceObject;
let bob: ResourceObject;
/** Payments by the names that the tests give them. */
const demands = new Map<string, ResourceObject>();
const LIST = '/v2/payment_demands';

beforeAll(async () => {
  ada = await makeCustomer(api.client, { email: 'ada@x.example', name: 'Ada, Countess' });
  bob = await makeCustomer(api.client, { email: 'bob+shop@x.example', name: null });
  await makeAddress(api.client, { city: 'London' }, { customer: ada });
  await makeAddress(api.client, { city: 'London' }, { customer: ada });
  const make = async (name: string, attributes: object, payer?: ResourceObject) =>
    demands.set(name, await makeDemand(api.client, attributes, payer && { payer }));
  await make('of ada', { amount_cents: 100, purchase_kind: 'order', description: 'a,b' }, ada);
  await make('of bob', { amount_cents: 200, purchase_kind: 'invoice', description: 'null' }, bob);
  await make('of nobody', { amount_cents: 300, purchase_kind: 'order', description: null });
});

/** The names of the payments that a query finds, in the order of their making. */
async function found(query: string, list = LIST): Promise<string[]> {
  const { status, body } = await api.client.get(`${list}?sort=created_at&${query}`);
  if (status !== 200) throw new Error(JSON.stringify(body.errors));
  const names = new Map([...demands].map(([name, { id }]) => [id, name]));
  return body.data.map(({ id }: ResourceObject) => names.get(id));
}

const ALL = ['of ada', 'of bob', 'of nobody'];

describe('a filter', () => {
  it.each([
    ['97. by an attribute', 'filter[purchase_kind]=order', ['of ada', 'of nobody']],
    ['97. by a state, by its other name', 'filter[status]=incomplete', ALL],
    ['97. by a number', 'filter[amount_cents]=200', ['of bob']],
    ['97. by a boolean', 'filter[confirmed]=true', []],
    ['99. by an attribute of a related record', 'filter[payer.email]=ada@x.example', ['of ada']],
    [
      '99. over a relationship to many, each record once',
      'filter[payer.addresses.city]=London',
      ['of ada'],
    ],
    [
      '99. over a chain that comes back',
      'filter[payer.payment_demands.amount_cents]=200',
      ['of bob'],
    ],
    [
      '100. and another',
      'filter[purchase_kind]=order&filter[payer.email]=ada@x.example',
      ['of ada'],
    ],
    ['100. that exclude each other', 'filter[amount_cents]=100&filter[purchase_kind]=invoice', []],
    ['101. by a list', 'filter[amount_cents]=100,300', ['of ada', 'of nobody']],
    ['101. by a list, blanks around', 'filter[amount_cents]= 100 , 200 ', ['of ada', 'of bob']],
    ['101. by a value with a comma, escaped', 'filter[description]=a\\,b', ['of ada']],
    ['104. with encoded brackets', 'filter%5Bamount_cents%5D=200', ['of bob']],
    ['104. with one encoded bracket', 'filter%5Bamount_cents]=200', ['of bob']],
    ['107. that is empty is dropped', 'filter[description]=', ALL],
    ['107. by null', 'filter[description]=null', ['of nobody']],
    ['107. by NULL', 'filter[description]=NULL', ['of nobody']],
    ['107. by null or a value', 'filter[description]=null,a\\,b', ['of ada', 'of nobody']],
    ['107. by no related record', 'filter[payer]=null', ['of nobody']],
    ['108. by a plus sign', 'filter[payer.email]=bob%2Bshop@x.example', ['of bob']],
    ['108. by a blank, as a plus sign', 'filter[payer.name]=Ada\\,+Countess', ['of ada']],
    ['by greater or equal, as a suffix', 'filter[amount_cents_gte]=200', ['of bob', 'of nobody']],
    ['by less, in brackets', 'filter[amount_cents][lt]=200', ['of ada']],
    ['by both', 'filter[amount_cents_gt]=100&filter[amount_cents_lt]=300', ['of bob']],
    ['by less, of a related record', 'filter[payer.created_at_lt]=2000-01-01', []],
    ['by unlike', 'filter[purchase_kind][ne]=order', ['of bob']],
    ['by a part', 'filter[payer.name][like]=countess', ['of ada']],
    ['by a part with a wildcard, taken as it is', 'filter[payer.name][like]=%25', []],
    ['by a number no column holds', 'filter[amount_cents]=9007199254740991', []],
    [
      'as a list of parameters',
      'filter[amount_cents][]=100&filter[amount_cents][]=200',
      ['of ada', 'of bob'],
    ],
  ])('%s', async (_what, query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it('98. by the id of a related record is the same in both forms', async () => {
    expect(await found(`filter[payer]=${ada.id}`)).toEqual(['of ada']);
    expect(await found(`filter[payer.id]=${ada.id}`)).toEqual(['of ada']);
    expect(await found(`filter[payer]=${ada.id.toUpperCase()},${bob.id}`)).toEqual([
      'of ada',
      'of bob',
    ]);
  });

  it('by ids is a lookup of many', async () => {
    const some = ['of nobody', 'of ada'].map((name) => demands.get(name)!.id);
    expect(await found(`filter[id]=${some.join(',')}`)).toEqual(['of ada', 'of nobody']);
  });

  it('99. over the merchant reaches its own name', async () => {
    const [{ attributes }] = (await api.client.get('/v2/merchants')).body.data;
    const name = encodeURIComponent(attributes.business_name);
    expect(await found(`filter[merchant.business_name]=${name}`)).toEqual(ALL);
    expect(await found(`filter[payer.merchant.business_name]=${name}`)).toEqual([
      'of ada',
      'of bob',
    ]);
  });

  it('over records that there are none of, or some of', async () => {
    const emails = async (query: string) =>
      (await api.client.get(`/v2/customers?sort=created_at&${query}`)).body.data.map(
        (customer: ResourceObject) => customer.attributes.email,
      );
    expect(await emails('filter[addresses]=null')).toEqual(['bob+shop@x.example']);
    expect(await emails('filter[addresses][null]=false')).toEqual(['ada@x.example']);
  });

  it.each([
    '/api/v2/payment_demands',
    '/api/payment_demands',
    '/payment_demands',
    '/v2/v2/payment_demands',
  ])('is the same at %s', async (list) => {
    expect(await found('filter[payer.email]=ada@x.example', list)).toEqual(['of ada']);
  });

  it('works on related records', async () => {
    const list = `/v2/customers/${bob.id}/relationships/payment_demands`;
    expect(await found('filter[amount_cents]=200', list)).toEqual(['of bob']);
    expect(await found('filter[amount_cents]=100', list)).toEqual([]);
  });
});

describe('a filter that is refused', () => {
  it.each([
    [
      '102. a name that does not exist',
      'filter[unknown]=1',
      400,
      'invalid_filter',
      'filter[unknown]',
    ],
    [
      '102. an unknown step',
      'filter[payer.boss.name]=1',
      400,
      'invalid_filter',
      'filter[payer.boss.name]',
    ],
    [
      '102. an unknown end',
      'filter[payer.unknown]=1',
      400,
      'invalid_filter',
      'filter[payer.unknown]',
    ],
    [
      '102. a step over an attribute',
      'filter[description.x]=1',
      400,
      'invalid_filter',
      'filter[description.x]',
    ],
    ['102. no name', 'filter[]=1', 400, 'invalid_filter', 'filter[]'],
    ['102. no brackets', 'filter=1', 400, 'invalid_filter', 'filter'],
    [
      '106. a secret field',
      'filter[threeds_cryptogram]=1',
      400,
      'invalid_filter',
      'filter[threeds_cryptogram]',
    ],
    ['102. a field of JSON', 'filter[line_items]=1', 400, 'invalid_filter', 'filter[line_items]'],
    [
      '102. an operator that does not exist',
      'filter[amount_cents][near]=1',
      400,
      'invalid_filter',
      'filter[amount_cents][near]',
    ],
    [
      '102. an order of what has none',
      'filter[confirmed][gt]=true',
      400,
      'invalid_filter',
      'filter[confirmed][gt]',
    ],
    [
      '102. the same twice',
      'filter[amount_cents]=1&filter[amount_cents]=2',
      400,
      'invalid_filter',
      'filter[amount_cents]',
    ],
    ['103. an unclosed bracket', 'filter[a=1', 400, 'unknown_parameter', 'filter[a'],
    ['103. an illegal name', 'filter[_]=1', 400, 'invalid_filter', 'filter[_]'],
    [
      '105. a number that is text',
      'filter[amount_cents]=x',
      422,
      'invalid_value',
      'filter[amount_cents]',
    ],
    [
      '105. a time that is text',
      'filter[created_at_gte]=x',
      422,
      'invalid_value',
      'filter[created_at_gte]',
    ],
    [
      '105. a day that does not exist',
      'filter[created_at_gte]=2026-02-30',
      422,
      'invalid_value',
      'filter[created_at_gte]',
    ],
    ['105. an id that is none', 'filter[payer]=ada', 422, 'invalid_value', 'filter[payer]'],
    [
      '105. a state that does not exist',
      'filter[status]=paid',
      422,
      'invalid_value',
      'filter[status]',
    ],
    [
      '105. a boolean that is none',
      'filter[confirmed]=yes',
      422,
      'invalid_value',
      'filter[confirmed]',
    ],
    ['105. a NUL', 'filter[description]=%00', 422, 'invalid_value', 'filter[description]'],
    [
      'two values to compare with',
      'filter[amount_cents_gt]=1,2',
      422,
      'invalid_value',
      'filter[amount_cents_gt]',
    ],
  ])('%s', async (_what, query, status, code, parameter) => {
    const answer = await api.client.get(`${LIST}?${query}`);
    expect([answer.status, errorsOf(answer)]).toEqual([status, [[code, parameter]]]);
  });

  it.each([
    [
      'more than eight steps',
      `filter[${'payer.payment_demands.'.repeat(5)}id]=${'0'.repeat(8)}-0000-7000-8000-000000000000`,
    ],
    ['more than 500 values', `filter[amount_cents]=${Array(501).fill(1)}`],
    [
      'more than twenty',
      ['amount_cents', 'amount_refunded_cents', 'fee_cents', 'discount_cents']
        .flatMap((name) =>
          ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'].map(
            (operator) => `filter[${name}][${operator}]=1`,
          ),
        )
        .join('&'),
    ],
  ])('%s is too much', async (_what, query) => {
    const answer = await api.client.get(`${LIST}?${query}`);
    expect([answer.status, answer.body.errors?.[0]?.code]).toEqual([400, 'query_too_costly']);
  });
});
