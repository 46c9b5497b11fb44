import { resources } from '@florin/contract/resources/index.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { Answer, ResourceObject } from '../support/client.ts';
import { flawsOf } from '../support/json-api-document.ts';
import { makeOneOfEach } from '../support/make.ts';

const api = useApi();
const types = Object.keys(resources);
let demand: ResourceObject;
let lists: Map<string, Answer>;

beforeAll(async () => {
  demand = await makeOneOfEach(api.client);
  const answers = types.map(async (type) => [type, await api.client.get(`/v2/${type}`)] as const);
  lists = new Map(await Promise.all(answers));
});

describe('the list', () => {
  it.each(types)('20–23, 27, 29, 30, 32. of %s conforms', (type) => {
    const answer = lists.get(type)!;
    expect(answer.status).toBe(200);
    expect(answer.body.data.length).toBeGreaterThan(0);
    expect(flawsOf(answer.body)).toEqual([]);
  });

  it.each(types)('28. of %s holds records of that type alone', (type) => {
    const found = lists.get(type)!.body.data.map((record: ResourceObject) => record.type);
    expect(new Set(found)).toEqual(new Set([type]));
  });

  it.each(types.filter((type) => type !== 'events'))(
    '31. of %s has no foreign key among its attributes',
    (type) => {
      const [{ attributes }] = lists.get(type)!.body.data;
      const names = Object.keys(attributes);
      expect(names.filter((name) => /_id$/.test(name))).toEqual([]);
    },
  );

  it('24. of one match is an array of one', async () => {
    const { body } = await api.client.get(`/v2/payment_demands?filter[id]=${demand.id}`);
    expect(body.data).toEqual([expect.objectContaining({ id: demand.id })]);
  });

  it('25. of no match is an empty array, and 200', async () => {
    const { status, body } = await api.client.get('/v2/customers?filter[email]=nobody@example.com');
    expect([status, body.data]).toEqual([200, []]);
  });
});

describe('a document', () => {
  it('23. says which version it is of', async () => {
    const { body } = await api.client.get('/v2/customers/none');
    expect(body).toMatchObject({ jsonapi: { version: '1.1' } });
  });

  it('26. of one record holds an object', async () => {
    const { body } = await api.client.get(`/v2/payment_demands/${demand.id}`);
    expect(body.data).toMatchObject({ type: 'payment_demands', id: demand.id });
    expect(flawsOf(body)).toEqual([]);
  });

  it('33. has its times in UTC, to the microsecond', () => {
    const { created_at, updated_at } = demand.attributes;
    const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
    expect([created_at, updated_at]).toEqual([
      expect.stringMatching(form),
      expect.stringMatching(form),
    ]);
  });

  it('34. names a record the same wherever it stands', async () => {
    const payer = demand.relationships.payer?.data as Pick<ResourceObject, 'type' | 'id'>;
    const own = await api.client.get(`/v2/customers/${payer.id}`);
    const related = await api.client.get(`/v2/payment_demands/${demand.id}/relationships/payer`);
    const compound = await api.client.get(`/v2/payment_demands/${demand.id}?include=payer`);
    for (const record of [own.body.data, related.body.data, compound.body.included?.[0]]) {
      expect(record).toMatchObject(payer);
    }
  });
});
