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
const LIST_PATH = '/v2/payment_demands';

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

/** Names of the payments that a query finds, in order of creation. */
async function listNames(query: string, listPath = LIST_PATH): Promise<string[]> {
  const { status, body } = await api.client.get(`${listPath}?sort=created_at&${query}`);
  if (status !== 200) throw new Error(JSON.stringify(body.errors));
  const names = new Map([...demands].map(([name, { id }]) => [id, name]));
  return body.data.map(({ id }: ResourceObject) => names.get(id));
}

const ALL_NAMES = ['of ada', 'of bob', 'of nobody'];

const expectFound = async (query: string, expected: readonly string[]): Promise<void> =>
  expect(await listNames(query)).toEqual(expected);

describe('a filter', () => {
  it.each([
    ['filter[purchase_kind]=order', ['of ada', 'of nobody']],
    ['filter[status]=incomplete', ALL_NAMES],
    ['filter[processor_state]=incomplete', ALL_NAMES],
    ['filter[amount_cents]=200', ['of bob']],
    ['filter[confirmed]=true', []],
  ])('#97 by an attribute finds the matching records: %s', expectFound);

  it('#98 by the id of a related record is the same in both forms', async () => {
    expect(await listNames(`filter[payer]=${ada.id}`)).toEqual(['of ada']);
    expect(await listNames(`filter[payer.id]=${ada.id}`)).toEqual(['of ada']);
    expect(await listNames(`filter[payer]=${ada.id.toUpperCase()},${bob.id}`)).toEqual([
      'of ada',
      'of bob',
    ]);
  });

  it('by ids finds many records', async () => {
    const ids = ['of nobody', 'of ada'].map((name) => demands.get(name)!.id);
    expect(await listNames(`filter[id]=${ids.join(',')}`)).toEqual(['of ada', 'of nobody']);
  });

  it('#99 over relationships finds each matching record once', async () => {
    await expectFound('filter[payer.email]=ada@x.example', ['of ada']);
    await expectFound('filter[payer.addresses.city]=London', ['of ada']);
    await expectFound('filter[payer.payment_demands.amount_cents]=200', ['of bob']);
    const [{ attributes }] = (await api.client.get('/v2/merchants')).body.data;
    const name = encodeURIComponent(attributes.business_name);
    await expectFound(`filter[merchant.business_name]=${name}`, ALL_NAMES);
    await expectFound(`filter[payer.merchant.business_name]=${name}`, ['of ada', 'of bob']);
  });

  it.each([
    ['filter[purchase_kind]=order&filter[payer.email]=ada@x.example', ['of ada']],
    ['filter[amount_cents]=100&filter[purchase_kind]=invoice', []],
  ])('#100 and another must both match: %s', expectFound);

  it.each([
    ['filter[amount_cents]=100,300', ['of ada', 'of nobody']],
    ['filter[amount_cents]= 100 , 200 ', ['of ada', 'of bob']],
    ['filter[description]=a\\,b', ['of ada']],
    ['filter[amount_cents][]=100&filter[amount_cents][]=200', ['of ada', 'of bob']],
  ])('#101 by a list finds any of its values; a comma in one is escaped: %s', expectFound);

  it.each(['filter%5Bamount_cents%5D=200', 'filter%5Bamount_cents]=200'])(
    '#104 is the same with encoded brackets: %s',
    (query) => expectFound(query, ['of bob']),
  );

  it.each([
    ['filter[description]=', ALL_NAMES],
    ['filter[description]=null', ['of nobody']],
    ['filter[description]=NULL', ['of nobody']],
    ['filter[description]=null,a\\,b', ['of ada', 'of nobody']],
    ['filter[payer]=null', ['of nobody']],
  ])('#107 that is empty is ignored, and null finds missing values: %s', expectFound);

  it.each([
    ['filter[payer.email]=bob%2Bshop@x.example', ['of bob']],
    ['filter[payer.email]=bob+shop@x.example', []],
    ['filter[payer.name]=Ada\\,+Countess', ['of ada']],
  ])('#108 reads a plus sign as a blank, and %%2B as a plus sign: %s', expectFound);

  it.each([
    ['filter[amount_cents_gte]=200', ['of bob', 'of nobody']],
    ['filter[amount_cents][lt]=200', ['of ada']],
    ['filter[amount_cents_gt]=100&filter[amount_cents_lt]=300', ['of bob']],
    ['filter[payer.created_at_lt]=2000-01-01', []],
    ['filter[purchase_kind][ne]=order', ['of bob']],
    ['filter[payer.name][like]=countess', ['of ada']],
    ['filter[payer.name][like]=%25', []],
    ['filter[amount_cents]=9007199254740991', []],
  ])('by an operator compares: %s', expectFound);

  it('over existing or missing related records', async () => {
    const listEmails = async (query: string) =>
      (await api.client.get(`/v2/customers?sort=created_at&${query}`)).body.data.map(
        (customer: ResourceObject) => customer.attributes.email,
      );
    expect(await listEmails('filter[addresses]=null')).toEqual(['bob+shop@x.example']);
    expect(await listEmails('filter[addresses][null]=false')).toEqual(['ada@x.example']);
  });

  it.each([
    '/api/v2/payment_demands',
    '/api/payment_demands',
    '/payment_demands',
    '/v2/v2/payment_demands',
  ])('is the same at %s', async (listPath) => {
    expect(await listNames('filter[payer.email]=ada@x.example', listPath)).toEqual(['of ada']);
  });

  it('works on related records', async () => {
    const listPath = `/v2/customers/${bob.id}/relationships/payment_demands`;
    expect(await listNames('filter[amount_cents]=200', listPath)).toEqual(['of bob']);
    expect(await listNames('filter[amount_cents]=100', listPath)).toEqual([]);
  });
});

describe('a filter that is refused', () => {
  const readFilterError = async (query: string) => {
    const answer = await api.client.get(`${LIST_PATH}?${query}`);
    return [answer.status, errorsOf(answer)];
  };
  const nameOf = (query: string): string => query.split('=')[0]!;

  it.each([
    'filter[unknown]=1',
    'filter[payer.boss.name]=1',
    'filter[payer.unknown]=1',
    'filter[description.x]=1',
    'filter[]=1',
    'filter=1',
    'filter[line_items]=1',
    'filter[amount_cents][near]=1',
    'filter[confirmed][gt]=true',
  ])('#102 by an unknown path is 400 and named: %s', async (query) => {
    expect(await readFilterError(query)).toEqual([400, [['invalid_filter', nameOf(query)]]]);
  });

  it('#103 by an unknown name is 400', async () => {
    expect(await readFilterError('filter[_]=1')).toEqual([400, [['invalid_filter', 'filter[_]']]]);
    expect(await readFilterError('filter[a=1')).toEqual([400, [['unknown_parameter', 'filter[a']]]);
  });

  it.each([
    'filter[amount_cents]=x',
    'filter[created_at_gte]=x',
    'filter[created_at_gte]=2026-02-30',
    'filter[payer]=ada',
    'filter[status]=paid',
    'filter[confirmed]=yes',
    'filter[description]=%00',
    'filter[amount_cents_gt]=1,2',
  ])('#105 by an ill-typed value is 422: %s', async (query) => {
    expect(await readFilterError(query)).toEqual([422, [['invalid_value', nameOf(query)]]]);
  });

  it('#106 finds nothing that the key may not see: secret fields, and records of others', async () => {
    const query = 'filter[threeds_cryptogram]=1';
    expect(await readFilterError(query)).toEqual([400, [['invalid_filter', nameOf(query)]]]);
    const otherClient = api.as(await (await api.fixtures.makeMerchant()).makeKey());
    for (const hiddenQuery of [`filter[payer]=${ada.id}`, 'filter[payer.email]=ada@x.example']) {
      const { status, body } = await otherClient.get(`${LIST_PATH}?${hiddenQuery}`);
      expect([status, body.data]).toEqual([200, []]);
    }
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
  ])('%s exceeds a limit', async (_title, query) => {
    const answer = await api.client.get(`${LIST_PATH}?${query}`);
    expect([answer.status, answer.body.errors?.[0]?.code]).toEqual([400, 'query_too_costly']);
  });
});
