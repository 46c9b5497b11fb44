import { randomUUID } from 'node:crypto';
import type { Resource } from '@florin/contract/resources/define-resource.ts';
import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import { expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { type Answer, documentOf, type ResourceObject, UNKNOWN_ID } from '../support/client.ts';
import { makerOf } from '../support/makers.ts';
import { errorsOf } from '../support/resource-suite.ts';

const api = useOwnStack();

/** Address and document of a write. */
interface WriteRequest {
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: unknown;
}

const types = Object.values(resources as Readonly<Record<string, Resource>>);
/** Every write that the interface has. */
const writes = types.flatMap(({ type, operations, actions = {} }) =>
  [
    ...operations.filter((name) => name === 'create' || name === 'update'),
    ...Object.keys(actions),
  ].map((operation) => [type as ResourceType, operation] as const),
);

const send = ({ method, path, body }: WriteRequest, key: string): Promise<Answer> =>
  api.client.send(method, path, body, { 'idempotency-key': key });

/** A record of the type that allows the operation. */
async function makeRecordFor(type: ResourceType, operation: string): Promise<ResourceObject> {
  const { makeDraft, makeRecord, makersByAction } = makerOf(type);
  const make = makersByAction?.[operation];
  if (make) return make(api.client);
  if (makeRecord) return makeRecord(api.client, api.fixtures);
  if (!makeDraft) throw new Error(`support/makers.ts makes no ${type} for ${operation}`);
  const { attributes, relations } = await makeDraft(api.client);
  return api.client.make(type, attributes, relations);
}

async function makeCreateRequests(type: ResourceType): Promise<[WriteRequest, WriteRequest]> {
  const { makeDraft, change } = makerOf(type);
  if (!makeDraft) throw new Error(`support/makers.ts has no draft of ${type}`);
  const { attributes, relations } = await makeDraft(api.client);
  const makeRequest = (attributes: object): WriteRequest => ({
    method: 'POST',
    path: `/v2/${type}`,
    body: documentOf(type, attributes, relations),
  });
  return [makeRequest(attributes), makeRequest({ ...attributes, ...change })];
}

async function makeUpdateRequests(type: ResourceType): Promise<[WriteRequest, WriteRequest]> {
  const { id } = await makeRecordFor(type, 'update');
  const { change = {}, relationshipChange } = makerOf(type);
  const changeRequest = (attributes: object, links = {}): WriteRequest => ({
    method: 'PATCH',
    path: `/v2/${type}/${id}`,
    body: documentOf(type, attributes, links, id),
  });
  return [
    relationshipChange ? changeRequest({}, relationshipChange) : changeRequest(change),
    changeRequest({}),
  ];
}

async function makeActionRequests(
  type: ResourceType,
  name: string,
): Promise<[WriteRequest, WriteRequest]> {
  const attributes = makerOf(type).attributesByAction?.[name];
  const requestOf = (id: string): WriteRequest => ({
    method: 'PATCH',
    path: `/v2/${type}/${id}/${name}`,
    ...(attributes && { body: documentOf(type, attributes, {}, id) }),
  });
  // The key is checked before the record is read, so the other record need not exist.
  return [requestOf((await makeRecordFor(type, name)).id), requestOf(UNKNOWN_ID)];
}

/** A write of the operation, and a different one that may not reuse its key. */
function makeRequests(
  type: ResourceType,
  operation: string,
): Promise<[WriteRequest, WriteRequest]> {
  if (operation === 'create') return makeCreateRequests(type);
  return operation === 'update' ? makeUpdateRequests(type) : makeActionRequests(type, operation);
}

async function countRecords(type: ResourceType): Promise<number> {
  const [row] = await api.fixtures.db.query(`select count(*) from ${type}`, []);
  return Number(row?.count);
}

/** Events about records of the type after such requests, without events that workers cause, such as a lapsed hold. */
async function listEvents(type: ResourceType, operation: string): Promise<string[]> {
  const rows = await api.fixtures.db.query(
    `select resource_id, slug from events
     where resource_type = $1 and slug = any ($2) and data #>> '{attributes,status}' is distinct from 'canceled'
     order by id`,
    [
      (resources[type] as Resource).events?.scope ?? '',
      operation === 'create' ? ['created'] : ['created', 'updated'],
    ],
  );
  return rows.map(({ resource_id, slug }) => `${slug} ${resource_id}`);
}

/** State that a repetition must not change. */
const readContents = async (type: ResourceType, operation: string) => [
  await countRecords(type),
  await listEvents(type, operation),
];

const successOf = (operation: string): number => (operation === 'create' ? 201 : 200);
const isReplayed = ({ headers }: Answer): boolean => headers.get('idempotent-replayed') === 'true';

// Concurrent requests with one key are tested by hundred-concurrent.test.ts.
it.each(writes)(
  '%s: %s that is repeated with its key has one effect and the same answer; another request is refused',
  async (type, operation) => {
    const [request, otherRequest] = await makeRequests(type, operation);
    const key = randomUUID();
    const answer = await send(request, key);
    expect([answer.status, isReplayed(answer)]).toEqual([successOf(operation), false]);
    const contentsBefore = await readContents(type, operation);

    const repeatAnswer = await send(request, key);
    expect([repeatAnswer.status, isReplayed(repeatAnswer), repeatAnswer.body.data.id]).toEqual([
      answer.status,
      true,
      answer.body.data.id,
    ]);
    expect(repeatAnswer.headers.get('location')).toBe(answer.headers.get('location'));

    const refusal = await send(otherRequest, key);
    expect([refusal.status, errorsOf(refusal)]).toEqual([
      409,
      [['idempotency_conflict', 'Idempotency-Key']],
    ]);
    expect(refusal.body.errors?.[0]?.source).toEqual({ header: 'Idempotency-Key' });
    expect(await readContents(type, operation)).toEqual(contentsBefore);
  },
);

it('a repeated create of a merchant token does not show the token again', async () => {
  const [request] = await makeCreateRequests('merchant_tokens');
  const [answer, repeatAnswer] = [await send(request, 'token'), await send(request, 'token')];
  expect(answer.body.data.attributes.token).toMatch(/^ept_/);
  expect(repeatAnswer.status).toBe(201);
  expect(repeatAnswer.body.data).toEqual({
    ...answer.body.data,
    attributes: { ...answer.body.data.attributes, token: null },
  });
});

it('a repeated create of a webhook subscription shows the same secret', async () => {
  const [request] = await makeCreateRequests('webhook_subscriptions');
  const [answer, repeatAnswer] = [await send(request, 'hook'), await send(request, 'hook')];
  expect(answer.body.data.attributes.secret_key).toMatch(/\S{20,}/);
  expect(repeatAnswer.body.data).toEqual(answer.body.data);
});
