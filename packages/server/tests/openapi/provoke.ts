import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import type { Model } from '../../src/jsonapi/model.ts';
import { actionExample, createExample, updateExample } from '../../src/jsonapi/openapi/examples.ts';
import type { Operation } from '../../src/jsonapi/openapi/operations.ts';
import type { Api } from '../support/api.ts';
import { type Answer, UNKNOWN_ID } from '../support/client.ts';
import { unreachableUrl } from '../support/hooks.ts';
import {
  eventually,
  makeActiveSubscription,
  makeAuthorisedPayment,
  makeCustomer,
} from '../support/make.ts';

type Provocation = (operation: Operation) => Promise<Answer>;

interface Document {
  readonly data: {
    readonly type: string;
    readonly id?: string;
    readonly attributes?: Readonly<Record<string, unknown>>;
    readonly relationships?: Readonly<Record<string, { readonly data: Linkage | Linkage[] }>>;
  };
}

interface Linkage {
  readonly type: string;
  readonly id: string;
}

/** Larger than the body limit. */
const LARGE_BODY = 'x'.repeat(300_000);

/** A parameter that no operation has. */
export const UNKNOWN_PARAMETER = 'nothing';

/** Requests that provoke each status in any operation, whatever its type. */
export function provocationsOf(api: Api): Readonly<Record<number, Provocation>> {
  const send = (
    { method, model }: Operation,
    path: string,
    body?: unknown,
    headers: Record<string, string | null> = {},
  ) => {
    // Attributes that both modes share are changed with a live key.
    const client = model.type === 'merchants' ? api.live : api.client;
    return client.send(method.toUpperCase(), path, body, headers);
  };
  const sendPlain = async (operation: Operation, headers: Record<string, string | null> = {}) => {
    const { path, body } = await requestOf(api, operation);
    return send(operation, path, body, headers);
  };

  return {
    200: (operation) => sendPlain(operation),
    201: (operation) => sendPlain(operation),
    304: async (operation) => {
      // Workers may still change the newest record.
      return eventually(
        async () => {
          const { headers } = await sendPlain(operation);
          return sendPlain(operation, { 'if-none-match': headers.get('etag') });
        },
        ({ status }) => status === 304,
      );
    },
    400: async (operation) => {
      const { path, body } = await requestOf(api, operation);
      return send(operation, `${path}?${UNKNOWN_PARAMETER}=1`, body);
    },
    401: (operation) => sendPlain(operation, { authorization: null }),
    403: (operation) =>
      sendPlain(operation, {
        authorization: `Bearer ${api.stack.credentials.sandbox.publishable_key}`,
      }),
    404: async (operation) =>
      operation.kind === 'create'
        ? send(operation, operation.path, documentWithUnknown(operation.model))
        : send(
            operation,
            operation.path.replace('{id}', UNKNOWN_ID),
            bodyOf(operation, UNKNOWN_ID),
          ),
    406: (operation) => sendPlain(operation, { accept: 'text/html' }),
    409: async (operation) => {
      const { path, body } = await requestOf(api, operation);
      const { data } = body as Document;
      return send(operation, path, { data: { ...data, type: 'others' } });
    },
    412: (operation) => sendPlain(operation, { 'if-match': '"0.0"' }),
    413: async (operation) => send(operation, (await requestOf(api, operation)).path, LARGE_BODY),
    415: (operation) => sendPlain(operation, { 'content-type': 'text/plain' }),
    422: (operation) => sendPlain(operation, { 'x-note': sandboxCards[0]?.number ?? '' }),
  };
}

/** The record of each type that others can reference. */
const reusableRecords = new Map<Api, Linkage>();

export function setReusableRecord(api: Api, record: Linkage): void {
  reusableRecords.set(api, record);
}

/** Records for requests that change nothing, by type. */
const sharedIds = new Map<Api, Map<string, Promise<string>>>();

/** A record of the type: the reusable one, else the newest, or a new one from the document's example. */
function findSharedId(api: Api, model: Model): Promise<string> {
  const idsByType = sharedIds.get(api) ?? new Map<string, Promise<string>>();
  sharedIds.set(api, idsByType);
  const id = idsByType.get(model.type) ?? findId(api, model);
  idsByType.set(model.type, id);
  return id;
}

async function findId(api: Api, model: Model): Promise<string> {
  const record = reusableRecords.get(api);
  if (record?.type === model.type) return record.id;
  const { body } = await api.client.get(`/v2/${model.type}?page[size]=1`);
  return body.data?.[0]?.id ?? makeRecordId(api, model);
}

/** Creates a separate record for a write. Returns its id. Throws if the type cannot be created. */
async function makeRecordId(api: Api, model: Model): Promise<string> {
  if (!isCreatable(model)) throw new Error(`no record of ${model.type}`);
  const { data } = await withIds(api, model, exampleOf(model));
  const answer = await api.client.send('POST', `/v2/${model.type}`, { data });
  if (answer.status !== 201) throw new Error(`${model.type}: ${JSON.stringify(answer.body)}`);
  return answer.body.data.id;
}

interface Request {
  readonly path: string;
  readonly body: unknown;
}

const requests = new WeakMap<Operation, Promise<Request>>();

/** Returns a request that succeeds once. Later uses are refused before they change anything. */
function requestOf(api: Api, operation: Operation): Promise<Request> {
  const request = requests.get(operation) ?? buildRequest(api, operation);
  requests.set(operation, request);
  return request;
}

async function buildRequest(api: Api, operation: Operation): Promise<Request> {
  const { kind, model, method, path } = operation;
  if (kind === 'create') return { path, body: await withIds(api, model, exampleOf(model)) };
  if (!path.includes('{id}')) return { path, body: undefined };
  const isOwn = method === 'patch' && isCreatable(model) && !isReused(model);
  const id = isOwn ? await makeRecordId(api, model) : await findSharedId(api, model);
  return { path: path.replace('{id}', id), body: bodyOf(operation, id) };
}

const exampleOf = (model: Model): Document => createExample(model) as Document;

/** The example of an update or action, with this record's id. */
function bodyOf({ kind, model, action = '' }: Operation, id: string): unknown {
  if (kind !== 'update' && kind !== 'action') return undefined;
  const example = kind === 'update' ? updateExample(model) : actionExample(model, action);
  const { data } = example as Document;
  return { data: { ...data, id } };
}

/** The example with ids of existing records: the reusable one, a new one, or any. */
async function withIds(api: Api, model: Model, { data }: Document): Promise<Document> {
  const relationships: Record<string, { data: Linkage | Linkage[] }> = {};
  for (const [name, { data: linkage }] of Object.entries(data.relationships ?? {})) {
    const target = model.relations.get(name)?.target as Model;
    const id = await findTargetId(api, model, target);
    const identifier = { type: target.type, id };
    relationships[name] = { data: Array.isArray(linkage) ? [identifier] : identifier };
  }
  if (model.type === 'sandbox_clocks') {
    // A merchant has only one clock, and so has each customer.
    const { id } = await makeCustomer(api.client);
    relationships.customer = { data: { type: 'customers', id } };
  }
  const { email, url, value } = data.attributes ?? {};
  const attributes = {
    ...data.attributes,
    ...(email !== undefined && { email: newEmail() }),
    ...(url !== undefined && { url: unreachableUrl() }),
    // List entries are unique; the example is of kind `email`.
    ...(value !== undefined && { value: newEmail() }),
  };
  return { data: { ...data, attributes, relationships } };
}

async function findTargetId(api: Api, model: Model, target: Model): Promise<string> {
  if (model.type === 'capture_demands' && target.type === 'payment_demands') {
    return (await makeAuthorisedPayment(api.client)).id;
  }
  if (model.type === 'subscription_changes' && target.type === 'payment_subscriptions') {
    return (await makeActiveSubscription(api.client)).id;
  }
  // A customer can be merged only once.
  if (model.type === 'customer_merges') return (await makeCustomer(api.client)).id;
  const isReusable = reusableRecords.get(api)?.type === target.type;
  const canShare = isReusable || !isCreatable(target) || isReused(target);
  return canShare ? findSharedId(api, target) : makeRecordId(api, target);
}

/** A person can be invited or identified only once. */
let personCount = 0;
const newEmail = (): string => {
  personCount += 1;
  return `person-${personCount}@example.com`;
};

/** A merchant can have only few of these, and one of them accepts repeated writes. */
const isReused = ({ type }: Model): boolean => type === 'webhook_subscriptions';

const isCreatable = ({ resource }: Model): boolean => resource.operations.includes('create');

/** The example of a create whose last relationship references nothing. */
function documentWithUnknown(model: Model): Document {
  const { data } = exampleOf(model);
  const relations = [...model.relations.values()].filter(({ definition }) => definition.create);
  const relation =
    relations.findLast(({ definition }) => definition.create === 'required') ?? relations.at(-1);
  if (!relation) return { data };
  const identifier = { type: relation.target.type, id: UNKNOWN_ID };
  return {
    data: {
      ...data,
      relationships: { [relation.name]: { data: relation.many ? [identifier] : identifier } },
    },
  };
}
