import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import type { Model } from '../../src/jsonapi/model.ts';
import { actionExample, createExample, updateExample } from '../../src/jsonapi/openapi/examples.ts';
import type { Operation } from '../../src/jsonapi/openapi/operations.ts';
import type { Api } from '../support/api.ts';
import { type Answer, NOBODY } from '../support/client.ts';
import { deafUrl } from '../support/hooks.ts';
import { eventually, makeActiveSubscription, makeCustomer, makeHeld } from '../support/make.ts';

type Ask = (operation: Operation) => Promise<Answer>;

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
const LARGE = 'x'.repeat(300_000);

/** A parameter that no operation has. */
export const UNKNOWN_PARAMETER = 'nothing';

/** Requests that provoke each status in any operation, whatever its type. */
export function provocationsOf(api: Api): Readonly<Record<number, Ask>> {
  const send = (
    { method }: Operation,
    path: string,
    body?: unknown,
    headers: Record<string, string | null> = {},
  ) => api.client.send(method.toUpperCase(), path, body, headers);
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
        : send(operation, operation.path.replace('{id}', NOBODY), bodyOf(operation, NOBODY)),
    406: (operation) => sendPlain(operation, { accept: 'text/html' }),
    409: async (operation) => {
      const { path, body } = await requestOf(api, operation);
      const { data } = body as Document;
      return send(operation, path, { data: { ...data, type: 'others' } });
    },
    412: (operation) => sendPlain(operation, { 'if-match': '"0.0"' }),
    413: async (operation) => send(operation, (await requestOf(api, operation)).path, LARGE),
    415: (operation) => sendPlain(operation, { 'content-type': 'text/plain' }),
    422: (operation) => sendPlain(operation, { 'x-note': sandboxCards[0]?.number ?? '' }),
  };
}

/** The record of each type that others can reference. */
const used = new Map<Api, Linkage>();

export function useRecord(api: Api, record: Linkage): void {
  used.set(api, record);
}

/** Records for requests that change nothing, by type. */
const ids = new Map<Api, Map<string, Promise<string>>>();

/** A record of the type: the reusable one, else the newest, or a new one from the document's example. */
function anyId(api: Api, model: Model): Promise<string> {
  const known = ids.get(api) ?? new Map<string, Promise<string>>();
  ids.set(api, known);
  const id = known.get(model.type) ?? findId(api, model);
  known.set(model.type, id);
  return id;
}

async function findId(api: Api, model: Model): Promise<string> {
  const record = used.get(api);
  if (record?.type === model.type) return record.id;
  const { body } = await api.client.get(`/v2/${model.type}?page[size]=1`);
  return body.data?.[0]?.id ?? newId(api, model);
}

/** A separate record for each write, if the type can be created. */
async function newId(api: Api, model: Model): Promise<string> {
  if (!isCreatable(model)) throw new Error(`no record of ${model.type}`);
  const { data } = await withIds(api, model, createOf(model));
  const made = await api.client.send('POST', `/v2/${model.type}`, { data });
  if (made.status !== 201) throw new Error(`${model.type}: ${JSON.stringify(made.body)}`);
  return made.body.data.id;
}

interface Request {
  readonly path: string;
  readonly body: unknown;
}

const requests = new WeakMap<Operation, Promise<Request>>();

/** Returns a request that succeeds once. Afterwards it serves for those that are refused before anything changes. */
function requestOf(api: Api, operation: Operation): Promise<Request> {
  const request = requests.get(operation) ?? newRequest(api, operation);
  requests.set(operation, request);
  return request;
}

async function newRequest(api: Api, operation: Operation): Promise<Request> {
  const { kind, model, method, path } = operation;
  if (kind === 'create') return { path, body: await withIds(api, model, createOf(model)) };
  if (!path.includes('{id}')) return { path, body: undefined };
  const isOwn = method === 'patch' && isCreatable(model) && !isReused(model);
  const id = isOwn ? await newId(api, model) : await anyId(api, model);
  return { path: path.replace('{id}', id), body: bodyOf(operation, id) };
}

const createOf = (model: Model): Document => createExample(model) as Document;

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
    const id = await targetId(api, model, target);
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
    ...(email !== undefined && { email: freshEmail() }),
    ...(url !== undefined && { url: deafUrl() }),
    // List entries are unique; the example is of kind `email`.
    ...(value !== undefined && { value: freshEmail() }),
  };
  return { data: { ...data, attributes, relationships } };
}

async function targetId(api: Api, model: Model, target: Model): Promise<string> {
  if (model.type === 'capture_demands' && target.type === 'payment_demands') {
    return (await makeHeld(api.client)).id;
  }
  if (model.type === 'subscription_changes' && target.type === 'payment_subscriptions') {
    return (await makeActiveSubscription(api.client)).id;
  }
  const isUsed = used.get(api)?.type === target.type;
  const any = isUsed || !isCreatable(target) || isReused(target);
  return any ? anyId(api, target) : newId(api, target);
}

/** A person can be invited or identified only once. */
let people = 0;
const freshEmail = (): string => {
  people += 1;
  return `person-${people}@example.com`;
};

/** A merchant can have only few of these, and one of them accepts repeated writes. */
const isReused = ({ type }: Model): boolean => type === 'webhook_subscriptions';

const isCreatable = ({ resource }: Model): boolean => resource.operations.includes('create');

/** The example of a create whose last relationship references nothing. */
function documentWithUnknown(model: Model): Document {
  const { data } = createOf(model);
  const relations = [...model.relations.values()].filter(({ definition }) => definition.create);
  const relation =
    relations.findLast(({ definition }) => definition.create === 'required') ?? relations.at(-1);
  if (!relation) return { data };
  const identifier = { type: relation.target.type, id: NOBODY };
  return {
    data: {
      ...data,
      relationships: { [relation.name]: { data: relation.many ? [identifier] : identifier } },
    },
  };
}
