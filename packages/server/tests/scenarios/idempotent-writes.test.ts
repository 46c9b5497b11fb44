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
interface Request {
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

const send = ({ method, path, body }: Request, key: string): Promise<Answer> =>
  api.client.send(method, path, body, { 'idempotency-key': key });

/** A record of the type that allows the operation. */
async function recordFor(type: ResourceType, operation: string): Promise<ResourceObject> {
  const { makeDraft, makeRecord, makersByAction } = makerOf(type);
  const make = makersByAction?.[operation];
  if (make) return make(api.client);
  if (makeRecord) return makeRecord(api.client, api.fixtures);
  if (!makeDraft) throw new Error(`support/makers.ts makes no ${type} for ${operation}`);
  const { attributes, relations } = await makeDraft(api.client);
  return api.client.make(type, attributes, relations);
}

async function createOf(type: ResourceType): Promise<[Request, Request]> {
  const { makeDraft, change } = makerOf(type);
  if (!makeDraft) throw new Error(`support/makers.ts has no draft of ${type}`);
  const { attributes, relations } = await makeDraft(api.client);
  const makeRequest = (attributes: object): Request => ({
    method: 'POST',
    path: `/v2/${type}`,
    body: documentOf(type, attributes, relations),
  });
  return [makeRequest(attributes), makeRequest({ ...attributes, ...change })];
}

async function updateOf(type: ResourceType): Promise<[Request, Request]> {
  const { id } = await recordFor(type, 'update');
  const { change = {}, relationshipChange } = makerOf(type);
  const changeRequest = (attributes: object, links = {}): Request => ({
    method: 'PATCH',
    path: `/v2/${type}/${id}`,
    body: documentOf(type, attributes, links, id),
  });
  return [
    relationshipChange ? changeRequest({}, relationshipChange) : changeRequest(change),
    changeRequest({}),
  ];
}

async function actionOf(type: ResourceType, name: string): Promise<[Request, Request]> {
  const attributes = makerOf(type).attributesByAction?.[name];
  const requestOf = (id: string): Request => ({
    method: 'PATCH',
    path: `/v2/${type}/${id}/${name}`,
    ...(attributes && { body: documentOf(type, attributes, {}, id) }),
  });
  // The key decides before the record is looked for, so the other record need not exist.
  return [requestOf((await recordFor(type, name)).id), requestOf(UNKNOWN_ID)];
}

/** A write of the operation, and a different one that may not reuse its key. */
function requestsOf(type: ResourceType, operation: string): Promise<[Request, Request]> {
  if (operation === 'create') return createOf(type);
  return operation === 'update' ? updateOf(type) : actionOf(type, operation);
}

async function countOf(type: ResourceType): Promise<number> {
  const [row] = await api.fixtures.db.query(`select count(*) from ${type}`, []);
  return Number(row?.count);
}

/** Events about records of the type after such requests, without events that workers cause, such as a lapsed hold. */
async function toldOf(type: ResourceType, operation: string): Promise<string[]> {
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
  await countOf(type),
  await toldOf(type, operation),
];

const successOf = (operation: string): number => (operation === 'create' ? 201 : 200);
const isReplayed = ({ headers }: Answer): boolean => headers.get('idempotent-replayed') === 'true';

// Concurrent requests with one key are the claim of hundred-concurrent.test.ts.
it.each(writes)(
  '%s: %s that is repeated with its key has one effect and the same answer; another request is refused',
  async (type, operation) => {
    const [request, other] = await requestsOf(type, operation);
    const key = randomUUID();
    const first = await send(request, key);
    expect([first.status, isReplayed(first)]).toEqual([successOf(operation), false]);
    const before = await readContents(type, operation);

    const again = await send(request, key);
    expect([again.status, isReplayed(again), again.body.data.id]).toEqual([
      first.status,
      true,
      first.body.data.id,
    ]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));

    const refused = await send(other, key);
    expect([refused.status, errorsOf(refused)]).toEqual([
      409,
      [['idempotency_conflict', 'Idempotency-Key']],
    ]);
    expect(refused.body.errors?.[0]?.source).toEqual({ header: 'Idempotency-Key' });
    expect(await readContents(type, operation)).toEqual(before);
  },
);

it('a repeated create of a merchant token does not show the token again', async () => {
  const [request] = await createOf('merchant_tokens');
  const [first, again] = [await send(request, 'token'), await send(request, 'token')];
  expect(first.body.data.attributes.token).toMatch(/^ept_/);
  expect(again.status).toBe(201);
  expect(again.body.data).toEqual({
    ...first.body.data,
    attributes: { ...first.body.data.attributes, token: null },
  });
});

it('a repeated create of a webhook subscription shows the same secret', async () => {
  const [request] = await createOf('webhook_subscriptions');
  const [first, again] = [await send(request, 'hook'), await send(request, 'hook')];
  expect(first.body.data.attributes.secret_key).toMatch(/\S{20,}/);
  expect(again.body.data).toEqual(first.body.data);
});
