/** Error of a request that the interface refused. The customer sees the message. */
export class ShopError extends Error {
  override name = 'ShopError';
}

/** Type and id of a record in a response. */
export interface Ref {
  readonly type: string;
  readonly id: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** The shop's HTTP client of the interface, with a secret key. */
export interface Program {
  /** Throws `ShopError` for an error response. `path` is relative to `/v2/`. */
  send(method: string, path: string, body?: object | Uint8Array<ArrayBuffer>): Promise<Ref>;
  list(path: string): Promise<readonly Ref[]>;
  create(type: string, attributes: object, relations?: Record<string, Ref>): Promise<Ref>;
  update(record: Ref, attributes: object): Promise<Ref>;
}

export function createProgram(base_url: string, secret_key: string): Program {
  const headers = {
    authorization: `Bearer ${secret_key}`,
    'content-type': 'application/vnd.api+json',
    'user-agent': 'florin-demo-shop/1',
  };

  async function request<Data>(
    method: string,
    path: string,
    body?: object | Uint8Array<ArrayBuffer>,
  ): Promise<Data> {
    const response = await fetch(`${base_url}/v2/${path}`, {
      method,
      headers,
      ...(body && { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data?: Data; errors?: { detail: string }[] };
    if (answer.data) return answer.data;
    throw new ShopError(answer.errors?.[0]?.detail ?? 'The payment service refused the order.');
  }

  const send: Program['send'] = request;
  return {
    send,
    list: (path) => request('GET', path),
    create: (type, attributes, relations = {}) =>
      send('POST', type, { data: { type, attributes, relationships: linkTo(relations) } }),
    update: ({ type, id }, attributes) =>
      send('PATCH', `${type}/${id}`, { data: { type, id, attributes } }),
  };
}

const linkTo = (relations: Record<string, Ref>) =>
  Object.fromEntries(
    Object.entries(relations).map(([name, { type, id }]) => [name, { data: { type, id } }]),
  );
