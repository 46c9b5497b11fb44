import { type ErrorCode, errorTable } from '@florin/contract/errors.ts';
import type { Field, Resource } from '@florin/contract/resources/define-resource.ts';
import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import { describe, expect, it } from 'vitest';
import type { Api } from './api.ts';
import {
  type Answer,
  documentOf,
  type Relations,
  type ResourceObject,
  UNKNOWN_ID,
} from './client.ts';

const definitionOf = (type: ResourceType): Resource => resources[type];

/** Codes and sources of an error document. */
export const errorsOf = ({
  body,
}: Answer): [code: string | undefined, where: string | undefined][] =>
  (body.errors ?? []).map(({ code, source }) => [code, source && Object.values(source)[0]]);

/** Number of records in the list of a type. */
export async function countOf(api: Api, type: ResourceType): Promise<number> {
  const { body } = await api.client.get(`/v2/${type}?page[total]=true&page[size]=1`);
  return (body.meta as { pagination: { total: number } }).pagination.total;
}

/**
 * Tests that records of a type are listed, read and followed as its definition says. `emptyRelations`
 * names relationships without related records.
 */
export function describeReads(
  api: Api,
  type: ResourceType,
  make: () => Promise<ResourceObject>,
  emptyRelations: readonly string[] = [],
): void {
  const { fields, relations } = definitionOf(type);
  const servedFields = Object.entries(fields).filter(([, field]) => !field.write_only);
  let createdRecord: Promise<ResourceObject> | undefined;
  /** Creates the record once, because no test of the suite changes it. */
  const fetchRecord = async (): Promise<ResourceObject> => {
    createdRecord ??= make();
    return api.client.fetch(type, (await createdRecord).id);
  };

  describe('read', () => {
    it('by its id has the attributes and relationships of its definition, in their formats', async () => {
      const { attributes, relationships, ...otherMembers } = await fetchRecord();
      expect(otherMembers).toMatchObject({ type });
      expect(Object.keys(attributes).sort()).toEqual(servedFields.map(([name]) => name).sort());
      for (const [name, field] of servedFields) {
        expect(hasFormatOf(field, attributes[name]), name).toBe(true);
      }
      expect(Object.keys(relationships).sort()).toEqual(Object.keys(relations).sort());
    });

    it('in a list is the same as by its id, newest first', async () => {
      const { id } = await fetchRecord();
      const { status, body } = await api.client.get(`/v2/${type}`);
      expect(status).toBe(200);
      const listedRecord = body.data.find((record: ResourceObject) => record.id === id);
      expect(listedRecord).toEqual(await api.client.fetch(type, id));
      const times = body.data.map(({ attributes }: ResourceObject) => attributes.created_at);
      expect(times).toEqual(times.toSorted().reverse());
    });

    it('by an unknown id is 404', async () => {
      const answer = await api.client.get(`/v2/${type}/${UNKNOWN_ID}`);
      expect([answer.status, errorsOf(answer)]).toEqual([404, [['not_found', undefined]]]);
    });

    it.each(Object.entries(relations))(
      'links over %s to its related records',
      async (name, relation) => {
        const { id, relationships } = await fetchRecord();
        const path = `/v2/${type}/${id}/relationships/${name}`;
        const { links, data } = relationships[name] as { links: object; data?: unknown };
        expect(links).toEqual({
          self: expect.stringMatching(`${path}$`),
          related: expect.stringMatching(`${path}$`),
        });
        const { status, body } = await api.client.get(path);
        expect(status).toBe(200);
        const relatedRecords = [body.data].flat().filter((record) => record !== null);
        expect(relatedRecords.length === 0, `${name} leads to nothing`).toBe(
          emptyRelations.includes(name),
        );
        expect(relatedRecords.map((record: ResourceObject) => record.type)).toEqual(
          relatedRecords.map(() => relation.to),
        );
        if (relation.many) expect(Array.isArray(body.data)).toBe(true);
        else expect(data).toEqual(body.data && { type: relation.to, id: body.data.id });
      },
    );
  });
}

/** Tests that undeclared methods return 405 with the allowed methods. */
export function describeRefusedMethods(api: Api, type: ResourceType): void {
  const { operations } = definitionOf(type);
  const methods = [
    ['POST', `/v2/${type}`, operations.includes('create')],
    ['PATCH', `/v2/${type}/${UNKNOWN_ID}`, operations.includes('update')],
    ['DELETE', `/v2/${type}/${UNKNOWN_ID}`, false],
  ] as const;

  it.each(methods.filter(([, , isAllowed]) => !isAllowed))('%s %s is 405', async (method, path) => {
    const answer = await api.client.send(method, path, documentOf(type, {}));
    expect([answer.status, errorsOf(answer)]).toEqual([405, [['method_not_allowed', undefined]]]);
    expect(answer.headers.get('allow')).toContain('GET');
  });
}

/**
 * Attributes with their single expected error: its code, and its pointer below the attributes, unless that is
 * the attribute itself.
 */
export type Refusal = readonly [
  title: string,
  attributes: Readonly<Record<string, unknown>>,
  code: ErrorCode,
  pointer?: string,
];

export interface WritableType {
  readonly type: ResourceType;
  /** Attributes of a valid create. */
  readonly validAttributes: Readonly<Record<string, unknown>>;
  readonly make: () => Promise<ResourceObject>;
}

/** Tests that each invalid attribute returns 422 and stores nothing, on create and on allowed updates. */
export function describeRefusals(
  api: Api,
  subject: WritableType,
  refusals: readonly Refusal[],
): void {
  const { type, validAttributes, make } = subject;
  const { fields, operations } = definitionOf(type);
  const expectedOutcomeOf = ([caseName, attributes, code, pointer]: Refusal) => [
    caseName,
    422,
    [[code, `/data/attributes/${pointer ?? Object.keys(attributes)[0]}`]],
    errorTable[code].title,
  ];
  /** Sends all requests concurrently: refused requests do not affect each other. */
  const expectRefused = async (
    refusals: readonly Refusal[],
    send: (attributes: Refusal[1]) => Promise<Answer>,
  ): Promise<void> => {
    const answers = await Promise.all(refusals.map(([, attributes]) => send(attributes)));
    const outcomes = answers.map((answer, index) => [
      refusals[index]?.[0],
      answer.status,
      errorsOf(answer),
      answer.body.errors?.[0]?.title,
    ]);
    expect(outcomes).toEqual(refusals.map(expectedOutcomeOf));
  };

  const createRefusals = operations.includes('create') ? refusals : [];
  const testCreates = async () => {
    const countBefore = await countOf(api, type);
    await expectRefused(createRefusals, (attributes) =>
      api.client.send(
        'POST',
        `/v2/${type}`,
        documentOf(type, { ...validAttributes, ...attributes }),
      ),
    );
    expect(await countOf(api, type)).toBe(countBefore);
  };

  const updateRefusals = refusals.filter(
    ([, attributes, code]) =>
      operations.includes('update') &&
      (code === 'unknown_attribute' ||
        Object.entries(attributes).every(
          ([name, value]) => value !== undefined && (fields[name]?.update || code === 'read_only'),
        )),
  );
  const testUpdates = async () => {
    const record = await make();
    await expectRefused(updateRefusals, (attributes) => patch(api, record, attributes));
    expect(await api.client.fetch(type, record.id)).toEqual(record);
  };

  if (createRefusals.length > 0)
    it('a create with an invalid attribute stores nothing', testCreates);
  if (updateRefusals.length > 0)
    it('an update with an invalid attribute changes nothing', testUpdates);
}

/** Changes a record and returns the response. */
export const patch = (
  { client }: Pick<Api, 'client'>,
  { type, id }: Pick<ResourceObject, 'type' | 'id'>,
  attributes: object,
  relations: Relations = {},
): Promise<Answer> =>
  client.send('PATCH', `/v2/${type}/${id}`, documentOf(type, attributes, relations, id));

/** Tests that a relationship to a missing record returns 404 with its pointer, on create and update. */
export function describeUnknownRelations(
  api: Api,
  { type, validAttributes, make }: WritableType,
): void {
  const { relations } = definitionOf(type);
  const toOneRelations = Object.entries(relations).filter(([, { many }]) => !many);
  const cases = toOneRelations.flatMap(([name, relation]) =>
    (['create', 'update'] as const)
      .filter((operation) => relation[operation])
      .map((operation) => [operation, name, relation.to] as const),
  );

  if (cases.length === 0) return;
  it('a relationship to an unknown record is 404', async () => {
    const record = cases.some(([operation]) => operation === 'update') ? await make() : undefined;
    const answers = await Promise.all(
      cases.map(([operation, name, to]) => {
        const unknownRelation = { [name]: { type: to, id: UNKNOWN_ID } };
        return operation === 'create'
          ? api.client.send(
              'POST',
              `/v2/${type}`,
              documentOf(type, validAttributes, unknownRelation),
            )
          : patch(api, record as ResourceObject, {}, unknownRelation);
      }),
    );
    expect(answers.map((answer) => [answer.status, errorsOf(answer)])).toEqual(
      cases.map(([, name]) => [404, [['relationship_not_found', `/data/relationships/${name}`]]]),
    );
  });
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** Whether a response's value has the form of its field. Null is always valid. */
function hasFormatOf(field: Field, value: unknown): boolean {
  if (value === null) return true;
  switch (field.type) {
    case 'integer':
      return Number.isSafeInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'timestamp':
      return TIMESTAMP.test(String(value));
    case 'enum':
      return field.values?.includes(String(value)) ?? false;
    case 'strings':
    case 'objects':
      return Array.isArray(value);
    case 'object':
    case 'metadata':
      return typeof value === 'object' && !Array.isArray(value);
    default:
      return typeof value === 'string';
  }
}
