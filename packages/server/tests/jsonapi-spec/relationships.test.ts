import type { Resource } from '@florin/contract/resources/define-resource.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { Document, ResourceObject } from '../support/client.ts';
import { violationsOf } from '../support/json-api-document.ts';
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
const includedOf = (body: Document, type: string): ResourceObject[] =>
  (body.included ?? []).filter((record) => record.type === type);

/** Records that are reachable from the primary data through linkage. */
function reachableNamesOf(body: Document): Set<string> {
  const recordsByName = new Map((body.included ?? []).map((record) => [nameOf(record), record]));
  const reachedNames = new Set<string>();
  const visit = ({ relationships = {} }: ResourceObject): void => {
    for (const { data } of Object.values(relationships)) {
      for (const identifier of [data ?? []].flat() as Identifier[]) {
        const name = nameOf(identifier);
        const record = recordsByName.get(name);
        if (record && !reachedNames.has(name)) {
          reachedNames.add(name);
          visit(record);
        }
      }
    }
  };
  for (const record of [body.data].flat()) visit(record);
  return reachedNames;
}

describe('linkage', () => {
  it('#44 of a to-one is its record or null, of a to-many an array if included, else absent', async () => {
    expect(demand.relationships.payer?.data).toEqual({ type: 'customers', id: payer.id });
    expect(demand.relationships.receiver?.data).toBeNull();
    const newCustomer = await makeCustomer(api.client);
    const path = `/v2/customers/${newCustomer.id}`;
    const { body } = await api.client.get(`${path}?include=addresses`);
    expect(body.data.relationships.addresses.data).toEqual([]);
    const plainAnswer = await api.client.get(path);
    expect('data' in plainAnswer.body.data.relationships.addresses).toBe(false);
    const includingAnswer = await api.client.get(`/v2/customers/${payer.id}?include=addresses`);
    expect(includingAnswer.body.data.relationships.addresses.data).toHaveLength(2);
  });

  it('#45 has type and id only, both strings', async () => {
    const { body } = await api.client.get(
      `/v2/payment_demands?include=payer.addresses,payment_method`,
    );
    const identifiers = ([...body.data, ...body.included!] as ResourceObject[])
      .flatMap(({ relationships }) => Object.values(relationships))
      .flatMap(({ data }) => [data ?? []].flat() as object[]);
    expect(identifiers.length).toBeGreaterThan(5);
    for (const identifier of identifiers) {
      expect(identifier).toEqual({ type: expect.any(String), id: expect.any(String) });
    }
  });
});

describe('a compound document', () => {
  it.each(Object.entries(resources as Readonly<Record<string, Resource>>))(
    'includes all relationships of the type itself: %s',
    async (type, { relations }) => {
      const { status, body } = await api.client.get(
        `/v2/${type}?include=${Object.keys(relations)}`,
      );
      expect([status, body.errors]).toEqual([200, undefined]);
    },
  );

  it('#46 has the included member, even if it is empty', async () => {
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
  ])('#47 is linked in full: %s', async (paths) => {
    const { body } = await api.client.get(`/v2/payment_demands?include=${paths}`);
    expect(body.included?.length).toBeGreaterThan(0);
    expect([...reachableNamesOf(body)].sort()).toEqual(body.included?.map(nameOf).sort());
    expect(violationsOf(body)).toEqual([]);
  });

  it('#48 contains the record even if a fieldset hides its linkage', async () => {
    const { body } = await api.client.get(
      `/v2/payment_demands/${demand.id}?include=payer&fields[payment_demands]=amount_cents`,
    );
    expect(body.data.relationships ?? {}).toEqual({});
    expect(body.included?.map(nameOf)).toEqual([nameOf(payer)]);
  });

  it('#49 contains each record once, whichever paths lead to it', async () => {
    const { body } = await api.client.get(
      `/v2/customers/${payer.id}?include=payment_demands.payer,payment_methods.customer,addresses.customer`,
    );
    const names = [body.data, ...(body.included ?? [])].map(nameOf);
    expect(new Set(names).size).toBe(names.length);
  });

  it('#50 contains full records, or the fields of their fieldset', async () => {
    const path = `/v2/payment_demands/${demand.id}?include=payer`;
    expect((await api.client.get(path)).body.included).toEqual([payer]);
    const { body } = await api.client.get(`${path}&fields[customers]=email`);
    expect(body.included?.[0]?.attributes).toEqual({ email: payer.attributes.email });
  });

  it('#51 contains nothing that was not requested', async () => {
    const { body } = await api.client.get(`/v2/payment_demands/${demand.id}?include=payer`);
    expect(body.included?.map(({ type }) => type)).toEqual(['customers']);
    const plainAnswer = await api.client.get(`/v2/payment_demands/${demand.id}`);
    expect('included' in plainAnswer.body).toBe(false);
  });

  it('#52 with an empty include has an empty included', async () => {
    const { body } = await api.client.get(`/v2/payment_demands/${demand.id}?include=`);
    expect(body.included).toEqual([]);
  });

  it('#53 with a path of two steps contains the records of both', async () => {
    const { body } = await api.client.get(
      `/v2/payment_demands/${demand.id}?include=payer.addresses`,
    );
    expect(includedOf(body, 'customers')).toHaveLength(1);
    expect(includedOf(body, 'consumer_addresses')).toHaveLength(2);
  });

  it('#58 has a stable order: by type and id', async () => {
    const { body } = await api.client.get(
      '/v2/payment_demands?include=payment_method,payer.addresses,merchant,billing_address',
    );
    const names = body.included!.map(nameOf);
    expect(new Set(body.included!.map(({ type }) => type)).size).toBe(4);
    expect(names).toEqual(names.toSorted());
  });

  it('#59 answers a write as well, and is refused before anything is written', async () => {
    const answer = await api.client.send('POST', '/v2/payment_demands?include=payer', {
      data: {
        type: 'payment_demands',
        attributes: { amount_cents: 100, amount_currency: 'USD' },
        relationships: { payer: { data: { type: 'customers', id: payer.id } } },
      },
    });
    expect([answer.status, answer.body.included]).toEqual([201, [payer]]);
    const updateAnswer = await api.client.send(
      'PATCH',
      `/v2/customers/${payer.id}?include=addresses`,
      {
        data: { type: 'customers', id: payer.id },
      },
    );
    expect(updateAnswer.body.included).toHaveLength(2);
    const refusal = await api.client.send('POST', '/v2/customers?include=unknown', {
      data: { type: 'customers', attributes: { email: 'unmade@example.com' } },
    });
    expect(refusal.status).toBe(400);
    const { body } = await api.client.get('/v2/customers?filter[email]=unmade@example.com');
    expect(body.data).toEqual([]);
  });

  it.each([
    ['/relationships/payer?include=addresses', 2],
    ['/relationships/merchant?include=customers', 1],
  ])('of %s contains the related record', async (path, minimum) => {
    const { body } = await api.client.get(`/v2/payment_demands/${demand.id}${path}`);
    expect(body.included?.length).toBeGreaterThanOrEqual(minimum);
  });
});

describe('an include that is refused', () => {
  const fetchError = async (path: string) => {
    const answer = await api.client.get(path);
    expect([answer.status, errorsOf(answer).length]).toEqual([400, 1]);
    return { ...answer.body.errors![0]!, sourceName: errorsOf(answer)[0]![1] };
  };

  it.each(['unknown', 'amount_cents', 'Payer'])(
    '#54 with an unknown relationship is 400 and names it: %s',
    async (name) => {
      const { code, sourceName, detail } = await fetchError(
        `/v2/payment_demands?include=payer,${name}`,
      );
      expect([code, sourceName]).toEqual(['invalid_include', 'include']);
      expect(detail).toMatch(new RegExp(`^${name} .*Accepted: .*billing_address`));
    },
  );

  it.each([
    'payer.unknown',
    'payer.email',
    'merchant.customers.unknown',
    'payer.',
    'payer..addresses',
  ])('#55 with an unknown later step is 400 and names it: %s', async (path) => {
    const { code, sourceName, detail } = await fetchError(`/v2/payment_demands?include=${path}`);
    expect([code, sourceName, detail.startsWith(`${path} `)]).toEqual([
      'invalid_include',
      'include',
      true,
    ]);
  });

  it('#56 is never ignored: an address with includes refuses unknown ones', async () => {
    const path = `/v2/payment_demands/${demand.id}`;
    for (const url of [path, `${path}/relationships/payer`, '/v2/payment_demands']) {
      expect((await fetchError(`${url}?include=cats`)).code).toBe('invalid_include');
    }
  });

  it.each([
    ['four steps', 3, 'payer.addresses.customer.addresses'],
    [
      'one path more than it has relationships',
      13,
      'payer,buyer,receiver,merchant,payment_method,billing_address,shipping_address,payment_link,payment_attempts,payer.addresses,payer.merchant,buyer.addresses,buyer.merchant,receiver.merchant',
    ],
  ])('#57 for %s is 400 and names the limit %i', async (_title, limit, paths) => {
    const { code, sourceName, detail, meta } = await fetchError(
      `/v2/payment_demands?include=${paths}`,
    );
    expect([code, sourceName, meta]).toEqual(['query_too_costly', 'include', { limit }]);
    expect(detail).toContain(String(limit));
  });
});
