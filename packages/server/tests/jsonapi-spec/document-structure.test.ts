import type { Resource } from '@florin/contract/resources/define-resource.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Answer, documentOf, type ResourceObject } from '../support/client.ts';
import { makeHook } from '../support/hooks.ts';
import { isMemberName, violationsOf } from '../support/json-api-document.ts';
import { makeCapturedPayment } from '../support/make.ts';

const api = useApi();
const types = Object.keys(resources);
let demand: ResourceObject;
/** The list of every type, one record, an error, and the responses of a write and an empty relationship. */
let answers: Answer[];
let lists: Map<string, Answer>;
let records: ResourceObject[];

beforeAll(async () => {
  await makeHook(api.client);
  demand = await makeCapturedPayment(api.client);
  lists = new Map(
    await Promise.all(
      types.map(async (type) => [type, await api.client.get(`/v2/${type}`)] as const),
    ),
  );
  const path = `/v2/payment_demands/${demand.id}`;
  answers = [
    ...lists.values(),
    await api.client.get(path),
    await api.client.get(`${path}?include=payer,billing_address`),
    await api.client.get(`${path}/relationships/receiver`),
    await api.client.send(
      'POST',
      '/v2/customers',
      documentOf('customers', { email: 'a@b.example' }),
    ),
    await api.client.get('/v2/customers/none'),
  ];
  records = answers
    .flatMap(({ body }) => [body.data ?? [], body.included ?? []].flat())
    .filter((record): record is ResourceObject => record !== null);
});

const memberNamesOf = (value: object): string[] => Object.keys(value);
const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

it('the lists of all types answer 200, and most have records', () => {
  expect([...lists.values()].map(({ status }) => status)).toEqual(types.map(() => 200));
  expect(new Set(records.map(({ type }) => type)).size).toBeGreaterThanOrEqual(9);
});

describe('a document', () => {
  it('#20 is an object with data, errors or meta', () => {
    for (const { body } of answers) {
      expect(isObject(body)).toBe(true);
      expect(memberNamesOf(body).some((name) => ['data', 'errors', 'meta'].includes(name))).toBe(
        true,
      );
    }
  });

  it('#21 has data or errors, never both, and included only with data', () => {
    for (const { status, body } of answers) {
      expect(['data' in body, 'errors' in body]).toEqual([status < 400, status >= 400]);
      if ('included' in body) expect('data' in body).toBe(true);
    }
  });

  it('#22 has no members other than those of JSON:API', () => {
    const allowedMembers = ['data', 'errors', 'meta', 'jsonapi', 'links', 'included'];
    expect(
      answers
        .flatMap(({ body }) => memberNamesOf(body))
        .filter((name) => !allowedMembers.includes(name)),
    ).toEqual([]);
  });

  it('#23 has version 1.1, as a string', () => {
    for (const { body } of answers) expect(body).toMatchObject({ jsonapi: { version: '1.1' } });
  });

  it('violates no rule that can be checked without its schema', () => {
    expect(answers.flatMap(({ body }) => violationsOf(body))).toEqual([]);
  });
});

describe('primary data', () => {
  it('#24 of a list with one match is an array of one', async () => {
    const { body } = await api.client.get(`/v2/payment_demands?filter[id]=${demand.id}`);
    expect(body.data).toEqual([expect.objectContaining({ id: demand.id })]);
  });

  it('#25 of a list without a match is an empty array, and 200', async () => {
    const { status, body } = await api.client.get('/v2/customers?filter[email]=nobody@example.com');
    expect([status, body.data]).toEqual([200, []]);
  });

  it('#26 of one record is an object', async () => {
    const { body } = await api.client.get(`/v2/payment_demands/${demand.id}`);
    expect(body.data).toMatchObject({ type: 'payment_demands', id: demand.id });
  });
});

describe('a record', () => {
  it('#27 has a type and an id, both strings, and only JSON:API members', () => {
    const allowedMembers = ['type', 'id', 'attributes', 'relationships', 'links', 'meta'];
    for (const record of records) {
      expect([typeof record.type, typeof record.id]).toEqual(['string', 'string']);
      expect(memberNamesOf(record).filter((name) => !allowedMembers.includes(name))).toEqual([]);
    }
  });

  it('#28 in the list of a type is of that type, with its own address as link', () => {
    const wrongRecords = types.map((type) => {
      const data: ResourceObject[] = lists.get(type)!.body.data;
      return data.filter(
        (record) =>
          record.type !== type ||
          record.links.self !== `${api.stack.baseUrl}/v2/${type}/${record.id}`,
      );
    });
    expect(wrongRecords.flat()).toEqual([]);
  });

  it('#29 has attributes and relationships of different names, none of them id or type', () => {
    for (const { attributes, relationships } of records) {
      const names = [...memberNamesOf(attributes), ...memberNamesOf(relationships)];
      expect(new Set(names).size).toBe(names.length);
      expect(names.filter((name) => name === 'id' || name === 'type')).toEqual([]);
    }
  });

  it('#30 has member names that are allowed', () => {
    const names = records.flatMap(({ attributes, relationships, meta = {} }) =>
      [attributes, relationships, meta].flatMap(memberNamesOf),
    );
    expect(new Set(names).size).toBeGreaterThan(40);
    expect(names.filter((name) => !isMemberName(name))).toEqual([]);
  });

  it('#31 has no foreign key among its attributes, except the subjects of events', () => {
    // The id of a request belongs to no record.
    const foreignKeys = Object.values<Resource>(resources).flatMap(({ type, fields }) =>
      memberNamesOf(fields)
        .filter((name) => /(?<!^request)_id$/.test(name))
        .map((name) => `${type}.${name}`),
    );
    expect(new Set(foreignKeys)).toEqual(
      new Set(['events.resource_id', 'webhook_replays.resource_id']),
    );
  });

  it('#32 has objects as attributes, relationships and meta', () => {
    for (const { attributes, relationships, meta } of records) {
      expect([attributes, relationships, meta ?? {}].map(isObject)).toEqual([true, true, true]);
    }
    for (const { body } of answers) expect(isObject(body.meta ?? {})).toBe(true);
  });

  it('#33 has its times in UTC, to the microsecond', () => {
    const times = records.flatMap(({ attributes }) =>
      Object.entries(attributes).filter(([name, value]) => /_at$/.test(name) && value !== null),
    );
    expect(times.length).toBeGreaterThan(records.length);
    for (const [name, value] of times) {
      expect(value, name).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    }
  });

  it('#34 has the same type and id everywhere', async () => {
    const payer = demand.relationships.payer?.data as Pick<ResourceObject, 'type' | 'id'>;
    const ownAnswer = await api.client.get(`/v2/customers/${payer.id}`);
    const relatedAnswer = await api.client.get(
      `/v2/payment_demands/${demand.id}/relationships/payer`,
    );
    const compoundAnswer = await api.client.get(`/v2/payment_demands/${demand.id}?include=payer`);
    for (const record of [
      ownAnswer.body.data,
      relatedAnswer.body.data,
      compoundAnswer.body.included?.[0],
    ]) {
      expect(record).toMatchObject(payer);
    }
  });
});
