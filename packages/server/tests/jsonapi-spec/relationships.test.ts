import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { Document, ResourceObject } from '../support/client.ts';
import { flawsOf } from '../support/json-api-document.ts';
import { makeAddress, makeCustomer, makeDemand, makeParties } from '../support/make.ts';
import { errorsOf } from '../support/resource-suite.ts';

const api = useApi();
let demand: ResourceObject;
let payer: ResourceObject;
beforeAll(async () => {
  const parties = await makeParties(api.client);
  demand = await makeDemand(api.client, {}, parties);
  payer = await api.client.fetch('customers', parties.payer!.id);
  await makeAddress(api.client, {}, { customer: payer });
});

type Identifier = Pick<ResourceObject, 'type' | 'id'>;
const nameOf = ({ type, id }: Identifier): string => `${type} ${id}`;
const included = (body: Document, type: string): ResourceObject[] =>
  (body.included ?? []).filter((record) => record.type === type);

/** Records that can be reached from the primary data over linkage. */
function linkedFrom(body: Document): Set<string> {
  const byName = new Map((body.included ?? []).map((record) => [nameOf(record), record]));
  const reached = new Set<string>();
  const visit = ({ relationships = {} }: ResourceObject): void => {
    for (const { data } of Object.values(relationships)) {
      for (const identifier of [data ?? []].flat() as Identifier[]) {
        const name = nameOf(identifier);
        const record = byName.get(name);
        if (record && !reached.has(name)) {
          reached.add(name);
          visit(record);
        }
      }
    }
  };
  for (const record of [body.data].flat()) visit(record);
  return reached;
}

describe('linkage', () => {
  it('44, 45. of a to-one is the identifier of its record, or null', () => {
    expect(demand.relationships.payer?.data).toEqual({ type: 'customers', id: payer.id });
    expect(demand.relationships.receiver?.data).toBeNull();
  });

  it('44. of a to-many is there when it is included, empty or not, and else absent', async () => {
    const lonely = await makeCustomer(api.client);
    const path = `/v2/customers/${lonely.id}`;
    const { body } = await api.client.get(`${path}?include=addresses`);
    expect(body.data.relationships.addresses.data).toEqual([]);
    const plain = await api.client.get(path);
    expect('data' in plain.body.data.relationships.addresses).toBe(false);
    const full = await api.client.get(`/v2/customers/${payer.id}?include=addresses`);
    expect(full.body.data.relationships.addresses.data).toHaveLength(2);
  });
});

describe('a compound document', () => {
  it('46. has the member included, also when nothing is', async () => {
    const { body } = await api.client.get(
      '/v2/customers?filter[email]=x@example.com&include=merchant',
    );
    expect(body.included).toEqual([]);
  });

  it.each([
    'payer',
    'payer,billing_address,payment_method,merchant',
    'payer.addresses,payer.payment_methods',
    'payer.payment_demands.billing_address',
  ])('47. with %s is linked in full', async (paths) => {
    const { body } = await api.client.get(`/v2/payment_demands?include=${paths}`);
    expect(body.included?.length).toBeGreaterThan(0);
    expect([...linkedFrom(body)].sort()).toEqual(body.included?.map(nameOf).sort());
    expect(flawsOf(body)).toEqual([]);
  });

  it('48. may hide the linkage by a fieldset and still holds the record', async () => {
    const { body } = await api.client.get(
      `/v2/payment_demands/${demand.id}?include=payer&fields[payment_demands]=amount_cents`,
    );
    expect(body.data.relationships ?? {}).toEqual({});
    expect(body.included?.map(nameOf)).toEqual([nameOf(payer)]);
  });

  it('49. holds no record twice, however often its paths lead to it', async () => {
    const { body } = await api.client.get(
      `/v2/customers/${payer.id}?include=payment_demands.payer,payment_methods.customer,addresses.customer`,
    );
    const names = [body.data, ...(body.included ?? [])].map(nameOf);
    expect(new Set(names).size).toBe(names.length);
  });

  it('50. holds whole records, or what their fieldset asks for', async () => {
    const path = `/v2/payment_demands/${demand.id}?include=payer`;
    expect((await api.client.get(path)).body.included).toEqual([payer]);
    const { body } = await api.client.get(`${path}&fields[customers]=email`);
    expect(body.included?.[0]?.attributes).toEqual({ email: payer.attributes.email });
  });

  it('51. holds nothing that was not asked for', async () => {
    const { body } = await api.client.get(`/v2/payment_demands/${demand.id}?include=payer`);
    expect(body.included?.map(({ type }) => type)).toEqual(['customers']);
    const plain = await api.client.get(`/v2/payment_demands/${demand.id}`);
    expect('included' in plain.body).toBe(false);
  });

  it('52. with an empty include has an empty included', async () => {
    const { body } = await api.client.get(`/v2/payment_demands/${demand.id}?include=`);
    expect(body.included).toEqual([]);
  });

  it('53. with a path of two steps holds the records of both', async () => {
    const { body } = await api.client.get(
      `/v2/payment_demands/${demand.id}?include=payer.addresses`,
    );
    expect(included(body, 'customers')).toHaveLength(1);
    expect(included(body, 'consumer_addresses')).toHaveLength(2);
  });

  it('58. comes in the same order every time: by type and id', async () => {
    const { body } = await api.client.get(
      '/v2/payment_demands?include=payment_method,payer.addresses,merchant,billing_address',
    );
    const names = body.included!.map(nameOf);
    expect(new Set(body.included!.map(({ type }) => type)).size).toBe(4);
    expect(names).toEqual(names.toSorted());
  });

  it('59. answers a write as well', async () => {
    const answer = await api.client.send('POST', '/v2/payment_demands?include=payer', {
      data: {
        type: 'payment_demands',
        attributes: { amount_cents: 100, amount_currency: 'USD' },
        relationships: { payer: { data: { type: 'customers', id: payer.id } } },
      },
    });
    expect([answer.status, answer.body.included]).toEqual([201, [payer]]);
    const patched = await api.client.send('PATCH', `/v2/customers/${payer.id}?include=addresses`, {
      data: { type: 'customers', id: payer.id },
    });
    expect(patched.body.included).toHaveLength(2);
  });

  it.each([
    ['/relationships/payer?include=addresses', 2],
    ['/relationships/merchant?include=customers', 1],
  ])('56. of %s is made of the related record', async (path, least) => {
    const { body } = await api.client.get(`/v2/payment_demands/${demand.id}${path}`);
    expect(body.included?.length).toBeGreaterThanOrEqual(least);
  });
});

describe('an include that is refused', () => {
  it.each([
    ['54. a name that does not exist', 'unknown', 'invalid_include', /unknown/],
    ['54. an attribute', 'amount_cents', 'invalid_include', /amount_cents/],
    ['55. a second step that does not exist', 'payer.unknown', 'invalid_include', /payer\.unknown/],
    ['57. four steps', 'payer.addresses.customer.addresses', 'query_too_costly', /3/],
    [
      '57. eleven paths',
      'payer,buyer,receiver,merchant,payment_method,billing_address,shipping_address,payer.addresses,payer.merchant,buyer.addresses,buyer.merchant',
      'query_too_costly',
      /10/,
    ],
  ])('%s is 400 and says why', async (_what, paths, code, detail) => {
    const answer = await api.client.get(`/v2/payment_demands?include=${paths}`);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [[code, 'include']]]);
    expect(answer.body.errors?.[0]?.detail).toMatch(detail);
  });

  it('57. of too much says the limit', async () => {
    const answer = await api.client.get(
      '/v2/payment_demands?include=payer.addresses.customer.merchant',
    );
    expect(answer.body.errors?.[0]?.meta).toEqual({ limit: 3 });
  });

  it('59. keeps a write from happening', async () => {
    const answer = await api.client.send('POST', '/v2/customers?include=unknown', {
      data: { type: 'customers', attributes: { email: 'unmade@example.com' } },
    });
    expect(answer.status).toBe(400);
    const { body } = await api.client.get('/v2/customers?filter[email]=unmade@example.com');
    expect(body.data).toEqual([]);
  });
});
