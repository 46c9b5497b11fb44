import { exchange } from './exchange.ts';
import { recordOperation } from './seen.ts';

/** Response to a merchant's test client, which uses the API over HTTP with one key. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Document of any shape.
  readonly body: Document;
}

export interface ResourceObject {
  readonly id: string;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: attributes of any type, asserted by the tests themselves
  readonly attributes: Record<string, any>;
  readonly relationships: Record<string, { links: Record<string, string>; data?: unknown }>;
  readonly meta?: Record<string, unknown>;
  readonly links: Record<string, string>;
}

export interface Document {
  // biome-ignore lint/suspicious/noExplicitAny: one record or many, as the request was
  readonly data: any;
  readonly included?: ResourceObject[];
  readonly links: Record<string, string>;
  readonly meta: Record<string, unknown>;
  readonly errors?: {
    readonly status: string;
    readonly code: string;
    readonly title: string;
    readonly detail: string;
    readonly source?: Record<string, string>;
    readonly links?: Record<string, string>;
    readonly meta?: Record<string, unknown>;
  }[];
}

/** An id that no record has. */
export const UNKNOWN_ID = '01935f00-0000-7000-8000-000000000000';

export const MEDIA_TYPE = 'application/vnd.api+json';

export interface Client {
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string | null>,
  ): Promise<Answer>;
  get(path: string, headers?: Record<string, string | null>): Promise<Answer>;
  /** Creates a record and returns it. Throws with the response if the server refuses. */
  make(type: string, attributes: object, relations?: Linkage): Promise<ResourceObject>;
  fetch(type: string, id: string): Promise<ResourceObject>;
}

type Target = Pick<ResourceObject, 'type' | 'id'>;

/** Targets of to-one relationships, as a resource object or a pair of type and id. */
export type Relations = Record<string, Target>;

/** Targets of to-many relationships as arrays, and to-one targets. */
type Linkage = Record<string, Target | readonly Target[]>;

const linkageOf = (target: Target | readonly Target[]): unknown =>
  Array.isArray(target)
    ? target.map(linkageOf)
    : { type: (target as Target).type, id: (target as Target).id };

export const documentOf = (
  type: string,
  attributes: object,
  relations: Linkage = {},
  id?: string,
) => ({
  data: {
    type,
    ...(id && { id }),
    attributes,
    relationships: Object.fromEntries(
      Object.entries(relations).map(([name, to]) => [name, { data: linkageOf(to) }]),
    ),
  },
});

/** Whether a body is text or bytes, which are sent unchanged. */
const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array;

/** Creates a test client. A header that is null is not sent. */
export function createClient(baseUrl: string, key: string): Client {
  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | null> = {},
  ): Promise<Answer> {
    const sentHeaders = {
      authorization: `Bearer ${key}`,
      'user-agent': 'florin-tests/1',
      ...(body !== undefined && { 'content-type': MEDIA_TYPE }),
      ...headers,
    };
    const {
      status,
      headers: receivedHeaders,
      text,
    } = await exchange(new URL(path, baseUrl), {
      method,
      headers: sentHeaders,
      ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
    });
    recordOperation(method, path, status);
    return { status, headers: receivedHeaders, body: text ? JSON.parse(text) : undefined };
  }
  return clientOver(send);
}

/** A client with its own way to send requests. */
export function clientOver(send: Client['send']): Client {
  return {
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    async make(type, attributes, relations) {
      const answer = await send('POST', `/v2/${type}`, documentOf(type, attributes, relations));
      if (answer.status !== 201) throw new Error(`POST ${type}: ${JSON.stringify(answer.body)}`);
      return answer.body.data;
    },
    fetch: async (type, id) => (await send('GET', `/v2/${type}/${id}`)).body.data,
  };
}
