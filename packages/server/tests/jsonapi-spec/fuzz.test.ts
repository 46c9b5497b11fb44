import type { Field, Resource } from '@florin/contract/resources/define-resource.ts';
import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { Answer, ResourceObject } from '../support/client.ts';
import { flawsOf } from '../support/json-api-document.ts';
import { makeOneOfEach } from '../support/make.ts';

const api = useApi();
const types = Object.keys(resources) as ResourceType[];
const definitionOf = (type: ResourceType): Resource => resources[type];
/** An id of each type that there is. */
const ids = new Map<string, string>();
beforeAll(async () => {
  await makeOneOfEach(api.client);
  for (const type of types) {
    const { data } = (await api.client.get(`/v2/${type}`)).body;
    ids.set(type, (data[0] as ResourceObject).id);
  }
});

function expectConforming({ status, body }: Answer): void {
  expect(status).toBeLessThan(500);
  expect(flawsOf(body)).toEqual([]);
  expect('errors' in body).toBe(status >= 400);
}

const anyType = fc.constantFrom(...types);
const junk = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    'null',
    '0',
    '-1',
    ',',
    '.',
    '*',
    '%',
    "'",
    '__proto__',
    '💳',
    '2026-02-30',
    'a'.repeat(300),
  ),
);

/** Dotted names, most of which exist. */
const pathFrom = (type: ResourceType): fc.Arbitrary<string> => {
  const { fields, relations } = definitionOf(type);
  const names = fc.constantFrom('id', ...Object.keys(fields), ...Object.keys(relations));
  const steps = Object.values(relations).flatMap(({ to }) =>
    Object.keys(definitionOf(to as ResourceType).fields),
  );
  const step = fc
    .tuple(fc.constantFrom('', ...Object.keys(relations)), fc.constantFrom(...steps, 'id'))
    .map((parts) => parts.filter(Boolean).join('.'));
  return fc.oneof({ weight: 3, arbitrary: names }, { weight: 3, arbitrary: step }, junk);
};

const someValue = fc.oneof(
  junk,
  fc.constantFrom(
    'true',
    '100',
    '100,200',
    '2026-01-01',
    '2026-01-01T00:00:00Z',
    'USD',
    'visa',
    'pending',
    'sandbox',
  ),
  fc.uuid(),
  fc.integer().map(String),
);
const operator = fc.constantFrom(
  '',
  '',
  '',
  '[ne]',
  '[gt]',
  '[lte]',
  '[like]',
  '[null]',
  '[in]',
  '[x]',
  '[]',
);

const parameter = (type: ResourceType): fc.Arbitrary<[string, string]> =>
  fc.oneof(
    fc.tuple(
      fc.tuple(pathFrom(type), operator).map(([path, op]) => `filter[${path}]${op}`),
      someValue,
    ),
    fc.tuple(
      fc.constant('sort'),
      fc.tuple(fc.constantFrom('', '-'), pathFrom(type)).map((parts) => parts.join('')),
    ),
    fc.tuple(fc.constant('include'), pathFrom(type)),
    fc.tuple(
      fc.oneof(anyType, junk).map((of) => `fields[${of}]`),
      pathFrom(type),
    ),
    fc.tuple(
      fc
        .constantFrom('size', 'number', 'limit', 'offset', 'after', 'before', 'total')
        .map((key) => `page[${key}]`),
      fc.oneof(fc.integer({ min: -1, max: 600 }).map(String), someValue),
    ),
    fc.tuple(junk, junk),
  );

const queries = anyType.chain((type) =>
  fc.tuple(fc.constant(type), fc.array(parameter(type), { minLength: 1, maxLength: 3 })),
);
const queryText = (parameters: readonly [string, string][]): string =>
  parameters
    .map((pair) => pair.map((text) => encodeURIComponent(text.toWellFormed())).join('='))
    .join('&');

it('answers every query with a JSON:API document and never with a 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(queries, fc.boolean(), async ([type, parameters], single) => {
      const path = single ? `/v2/${type}/${ids.get(type)}` : `/v2/${type}`;
      expectConforming(await api.client.get(`${path}?${queryText(parameters)}`));
    }),
    { numRuns: 150 },
  );
});

/** Stands for the id of a record that exists, which is not known when documents are drawn. */
const OWN = 'own';

/** A value that a field may take, or anything else. */
const valueFor = (field: Field): fc.Arbitrary<unknown> => {
  const fitting: Partial<Record<Field['type'], fc.Arbitrary<unknown>>> = {
    integer: fc.integer({ min: field.min ?? 0, max: field.max ?? 5_000 }),
    boolean: fc.boolean(),
    timestamp: fc.constantFrom(
      '2026-01-01T00:00:00Z',
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:60Z',
    ),
    email: fc.constant('a@example.com'),
    phone: fc.constantFrom('+12125550123', '+0'),
    url: fc.constantFrom('http://localhost:9/x', 'https://[::1]/', 'http://a b'),
    country: fc.constantFrom('USA', 'de'),
    currency: fc.constantFrom('USD', 'eur'),
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', '+01:00'),
    enum: fc.constantFrom(...(field.values ?? [''])),
    strings: fc.array(fc.constantFrom('consumer.customers.created', 'x'), { maxLength: 3 }),
    object: membersOf(field.members ?? {}),
    objects: fc.array(membersOf(field.members ?? {}), { maxLength: 2 }),
  };
  return fc.oneof(
    {
      weight: 20,
      arbitrary: fitting[field.type] ?? fc.string({ unit: 'grapheme', maxLength: 20 }),
    },
    { weight: 1, arbitrary: fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.maxSafeInteger(), junk) },
  );
};

const membersOf = (fields: Readonly<Record<string, Field>>): fc.Arbitrary<object> =>
  fc.record(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, valueFor(field)])),
    { requiredKeys: [] },
  );

const relationshipsOf = (resource: Resource): fc.Arbitrary<object> =>
  fc.record(
    Object.fromEntries(
      Object.entries(resource.relations).map(([name, { to }]) => [
        name,
        fc.oneof(
          { weight: 4, arbitrary: fc.constant({ data: { type: to, id: OWN } }) },
          fc.constantFrom({ data: null }, {}, null, { data: [] }),
          fc.uuid().map((id) => ({ data: { type: to, id } })),
        ),
      ]),
    ),
    { requiredKeys: [] },
  );

/** Most often the first, now and then the second. */
const mostly = <T, U>(first: fc.Arbitrary<T>, second: fc.Arbitrary<U>): fc.Arbitrary<T | U> =>
  fc.oneof({ weight: 4, arbitrary: first }, { weight: 1, arbitrary: second });

/** Documents that are near what the type takes: its attributes that a write may set, and now and then another. */
const documents = fc.constantFrom(...types).chain((type) => {
  const { fields } = definitionOf(type);
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => field.create === 'required');
  const settable = entries.filter(([, field]) => field.create);
  const attributes = fc
    .tuple(
      fc.record(Object.fromEntries(required.map(([name, field]) => [name, valueFor(field)]))),
      mostly(membersOf(Object.fromEntries(settable)), membersOf(fields)),
    )
    .map(([needed, others]) => ({ ...others, ...needed }));
  return fc.tuple(
    fc.constant(type),
    fc.record({
      attributes,
      relationships: mostly(fc.constant({}), relationshipsOf(definitionOf(type))),
    }),
  );
});

it('answers every document with a JSON:API document and never with a 5xx', async () => {
  const created: Answer[] = [];
  await fc.assert(
    fc.asyncProperty(
      documents,
      fc.boolean(),
      async ([type, { attributes, relationships }], update) => {
        const id = ids.get(type);
        const text = JSON.stringify({
          data: { type, ...(update && { id }), attributes, relationships },
        });
        const own = text.replace(/\{"type":"(\w+)","id":"own"\}/g, (_, to: string) =>
          JSON.stringify({ type: to, id: ids.get(to) }),
        );
        const answer = update
          ? await api.client.send('PATCH', `/v2/${type}/${id}`, own)
          : await api.client.send('POST', `/v2/${type}`, own);
        expectConforming(answer);
        if (answer.status === 201) created.push(answer);
      },
    ),
    { numRuns: 200 },
  );
  expect(created.length, 'some of the documents are accepted').toBeGreaterThan(0);
});
