import type { Field, Resource } from '@florin/contract/resources/define-resource.ts';
import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import fc from 'fast-check';
import { documentOf, UNKNOWN_ID } from './client.ts';

/** A random request. Ids are placeholders until `withIds` replaces them. */
export interface DrawnRequest {
  readonly method: string;
  readonly path: string;
  /** JSON text, or any other text. */
  readonly body?: string;
}

/** Ids for the placeholders of a random request. */
export interface Ids {
  /** A record of the caller. */
  own(type: string): string | undefined;
  /** A record of another merchant, or of the other mode. */
  foreign(type: string): string | undefined;
}

const types = Object.keys(resources) as ResourceType[];
const definitionOf = (type: string): Resource => resources[type as ResourceType];
const arbitraryType = fc.constantFrom(...types);

/** Placeholder of an id, which `withIds` replaces. */
const arbitraryIdPlaceholder = (type: string): fc.Arbitrary<string> =>
  fc.constantFrom(`own:${type}:`, `own:${type}:`, `foreign:${type}:`, UNKNOWN_ID);

/** Replaces placeholders with ids. */
export function withIds(request: DrawnRequest, ids: Ids): DrawnRequest {
  const fill = (text: string): string =>
    text.replace(
      /(own|foreign)(?::|%3A)(\w+?)(?::|%3A)/g,
      (_, kind: 'own' | 'foreign', type: string) => ids[kind](type) ?? UNKNOWN_ID,
    );
  const { body } = request;
  return { ...request, path: fill(request.path), ...(body !== undefined && { body: fill(body) }) };
}

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
    'constructor',
    '💳',
    '2026-02-30',
    'a'.repeat(300),
  ),
);

/** Dotted names with several steps, most of them valid. */
const pathFrom = (type: string, steps = 3): fc.Arbitrary<string> => {
  const { fields, relations } = definitionOf(type);
  const leaf = fc.constantFrom('id', ...Object.keys(fields), ...Object.keys(relations));
  const relationEntries = Object.entries(relations);
  if (steps === 0 || relationEntries.length === 0) return leaf;
  const longerPath = fc
    .constantFrom(...relationEntries)
    .chain(([name, { to }]) => pathFrom(to, steps - 1).map((suffix) => `${name}.${suffix}`));
  return fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 3, arbitrary: longerPath }, junk);
};

const arbitraryParameterValue = (type: string): fc.Arbitrary<string> =>
  fc.oneof(
    junk,
    arbitraryIdPlaceholder(type),
    arbitraryType.chain(arbitraryIdPlaceholder),
    fc.constantFrom(
      'true',
      '100',
      '100,200',
      '2026-01-01',
      '2026-01-01T00:00:00Z',
      'USD',
      'visa',
      'pending',
      'succeeded',
      'sandbox',
    ),
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

const arbitraryParameter = (type: string): fc.Arbitrary<[string, string]> =>
  fc.oneof(
    fc.tuple(
      fc
        .tuple(pathFrom(type), fc.constantFrom('', '', '_gte', '_lt'), operator)
        .map(([path, suffix, op]) => `filter[${path}${suffix}]${op}`),
      arbitraryParameterValue(type),
    ),
    fc.tuple(
      fc.constant('sort'),
      fc.tuple(fc.constantFrom('', '-'), pathFrom(type)).map((parts) => parts.join('')),
    ),
    fc.tuple(fc.constant('include'), pathFrom(type)),
    fc.tuple(
      fc.oneof(arbitraryType, junk).map((typeName) => `fields[${typeName}]`),
      pathFrom(type, 0),
    ),
    fc.tuple(
      fc
        .constantFrom('size', 'number', 'limit', 'offset', 'after', 'before', 'total')
        .map((name) => `page[${name}]`),
      fc.oneof(fc.integer({ min: -1, max: 600 }).map(String), arbitraryParameterValue(type)),
    ),
    fc.tuple(junk, junk),
  );

const arbitraryQuery = (type: string): fc.Arbitrary<string> =>
  fc
    .array(arbitraryParameter(type), { maxLength: 3 })
    .map((pairs) =>
      pairs
        .map((pair) => pair.map((text) => encodeURIComponent(text.toWellFormed())).join('='))
        .join('&'),
    )
    .map((query) => query && `?${query}`);

/** Addresses of a record, or of a relationship with the type of its related records. */
const arbitraryAddress = (
  type: string,
): fc.Arbitrary<readonly [path: string, answeredType: string]> => {
  const relations = Object.entries(definitionOf(type).relations);
  return fc
    .tuple(arbitraryIdPlaceholder(type), fc.constantFrom(undefined, ...relations))
    .map(([id, relation]) =>
      relation
        ? ([`/v2/${type}/${id}/relationships/${relation[0]}`, relation[1].to] as const)
        : ([`/v2/${type}/${id}`, type] as const),
    );
};

const reads: fc.Arbitrary<DrawnRequest> = arbitraryType
  .chain((type) => fc.oneof(fc.constant([`/v2/${type}`, type] as const), arbitraryAddress(type)))
  .chain(([path, answeredType]) =>
    arbitraryQuery(answeredType).map((query) => ({ method: 'GET', path: `${path}${query}` })),
  );

/** A valid value of a field, or sometimes an invalid one. */
const valueFor = (field: Field): fc.Arbitrary<unknown> => {
  const arbitraryByType: Partial<Record<Field['type'], fc.Arbitrary<unknown>>> = {
    integer: fc.integer({ min: field.min ?? 0, max: field.max ?? 5_000 }),
    boolean: fc.boolean(),
    timestamp: fc.constantFrom(
      '2026-01-01T00:00:00Z',
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:60Z',
    ),
    date: fc.constantFrom('1980-02-29', '1981-02-29'),
    email: fc.constant('a@example.com'),
    phone: fc.constantFrom('+12125550123', '+0'),
    slug: fc.constantFrom('gold_plan', '1x'),
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
      arbitrary: arbitraryByType[field.type] ?? fc.string({ unit: 'grapheme', maxLength: 20 }),
    },
    { weight: 1, arbitrary: fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.maxSafeInteger(), junk) },
  );
};

const membersOf = (fields: Readonly<Record<string, Field>>): fc.Arbitrary<object> =>
  fc.record(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, valueFor(field)])),
    { requiredKeys: [] },
  );

const relationshipsOf = ({ relations }: Resource): fc.Arbitrary<object> =>
  fc.record(
    Object.fromEntries(
      Object.entries(relations).map(([name, { to, many }]) => {
        const identifier = arbitraryIdPlaceholder(to).map((id) => ({ type: to, id }));
        const data = many ? fc.array(identifier, { maxLength: 3 }) : identifier;
        const invalidRelationship = fc.constantFrom<unknown>({ data: null }, {}, null, {
          data: [],
        });
        return [
          name,
          mostlyFirst(
            data.map((linkage) => ({ data: linkage })),
            invalidRelationship,
          ),
        ];
      }),
    ),
    { requiredKeys: [] },
  );

/** Usually a value of the first, sometimes of the second. */
const mostlyFirst = <T, U>(first: fc.Arbitrary<T>, second: fc.Arbitrary<U>): fc.Arbitrary<T | U> =>
  fc.oneof({ weight: 4, arbitrary: first }, { weight: 1, arbitrary: second });

/** Document of a type, usually with the writable members, sometimes with others. */
const contentsOf = (resource: Resource) => {
  const required = requiredFields(resource.fields);
  const settableFields = Object.entries(resource.fields).filter(([, field]) => field.create);
  return fc.record({
    attributes: fc
      .tuple(
        fc.record(Object.fromEntries(required.map(([name, field]) => [name, valueFor(field)]))),
        mostlyFirst(membersOf(Object.fromEntries(settableFields)), membersOf(resource.fields)),
      )
      .map(([requiredAttributes, otherAttributes]) => ({
        ...otherAttributes,
        ...requiredAttributes,
      })),
    relationships: mostlyFirst(requiredRelations(resource), relationshipsOf(resource)),
  });
};

const requiredFields = (fields: Resource['fields']): [string, Field][] =>
  Object.entries(fields).filter(([, field]) => field.create === 'required');

const requiredRelations = ({ relations }: Resource): fc.Arbitrary<object> =>
  fc.constant(
    Object.fromEntries(
      Object.entries(relations)
        .filter(([, { create }]) => create === 'required')
        .map(([name, { to }]) => [name, { data: { type: to, id: `own:${to}:` } }]),
    ),
  );

/** Addresses that accept changes of a type: its record and its actions. */
const targetsOf = (type: string): string[] => {
  const { operations, actions = {} } = definitionOf(type);
  const recordPaths = operations.includes('update') ? [''] : [];
  return [...recordPaths, ...Object.keys(actions).map((name) => `/${name}`)];
};

const writes: fc.Arbitrary<DrawnRequest> = arbitraryType.chain((type) => {
  const targets = targetsOf(type);
  const target = targets.length > 0 ? fc.constantFrom(...targets) : fc.constant(undefined);
  return fc
    .tuple(
      fc.option(target),
      arbitraryIdPlaceholder(type),
      contentsOf(definitionOf(type)),
      arbitraryQuery(type),
      fc.nat(9),
    )
    .map(([targetPath, id, { attributes, relationships }, query, chance]) => {
      const isUpdate = typeof targetPath === 'string';
      const { data } = documentOf(type, attributes, {}, isUpdate ? id : undefined);
      return {
        method: isUpdate ? 'PATCH' : 'POST',
        path: `/v2/${type}${isUpdate ? `/${id}${targetPath}` : ''}${chance === 0 ? query : ''}`,
        body: JSON.stringify({ data: { ...data, relationships } }),
      };
    });
});

/** Methods, paths and bodies that a correct client never sends. */
const oddities: fc.Arbitrary<DrawnRequest> = fc.record(
  {
    method: fc.constantFrom('PUT', 'DELETE', 'PATCH', 'POST', 'OPTIONS'),
    path: fc
      .tuple(fc.constantFrom('/v2', '/api/v2', '', '/v1', '/v2/v2'), arbitraryType, junk)
      .map(
        ([prefix, type, suffix]) =>
          `${prefix}/${type}/${encodeURIComponent(suffix.toWellFormed())}`,
      ),
    body: fc.oneof(
      fc.json({ maxDepth: 4 }).map((text) => text.toWellFormed()),
      fc.constantFrom('{', '[]', 'null', '{"data":[]}', '['.repeat(5_000)),
    ),
  },
  { requiredKeys: ['method', 'path'] },
);

/** Requests of every kind, most of them nearly valid. */
export const drawnRequests: fc.Arbitrary<DrawnRequest> = fc.oneof(
  { weight: 12, arbitrary: reads },
  { weight: 7, arbitrary: writes },
  { weight: 1, arbitrary: oddities },
);
