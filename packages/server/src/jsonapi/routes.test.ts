import { problem } from '@florin/contract/errors.ts';
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSigner } from '../platform/crypto/signer.ts';
import type { Database } from '../platform/database/db.ts';
import type { Row } from '../platform/database/row.ts';
import type { Behaviour, RequestContext } from './behaviour.ts';
import { createShopDatabase } from './filter-to-sql/testing/database.ts';
import { insertRows, shopA, shopB, uuid } from './filter-to-sql/testing/rows.ts';
import { MEDIA_TYPE } from './media-type.ts';
import { createIdempotencyLookup } from './reading/idempotency-lookup.ts';
import { createReader } from './reading/read.ts';
import { registerRoutes } from './routes.ts';
import { shopModels } from './testing/shop.ts';

const base_url = 'https://api.example';
const request_signer = createSigner('test');
const ann = uuid('b', 1);
const anonymous = uuid('b', 9);
const settings = {
  currencies: new Set<string>(),
  timezone: 'UTC',
  threeds: 'off',
  merchant_status: 'active',
} as const;

let db: Database;
let app: FastifyInstance;
let permissions: RequestContext['permissions'] = 'all';
const reportedErrors: unknown[] = [];

class QueueFull extends Error {}

/** Minimal behaviour for tests: stores the row or throws. */
function behaviourOf(table: string): Behaviour {
  const readRow = async (id: string): Promise<Row> => {
    const [row] = await db.query(`select * from ${table} where id = $1 and merchant_id = $2`, [
      id,
      shopA,
    ]);
    if (!row) throw problem('not_found', 'No such record.');
    return row;
  };
  const setColumns = async (id: string, columns: Row): Promise<Row> => {
    for (const [column, value] of Object.entries(columns)) {
      await db.query(`update ${table} set "${column}" = $1 where id = $2 and merchant_id = $3`, [
        value,
        id,
        shopA,
      ]);
    }
    return readRow(id);
  };
  return {
    async create(_ctx, _input, record) {
      if (record.name === 'busy') throw new QueueFull();
      if (record.name === 'boom') throw new Error('relation "people" is on fire');
      await insertRows(db, table, [record]);
      return { ...record, key: 'shown-once' };
    },
    update: (_ctx, id, _input, columns) => setColumns(id, columns),
    actions: { pay: (_ctx, id) => setColumns(id, { status: 'paid' }) },
  };
}

beforeAll(async () => {
  db = await createShopDatabase();
  await insertRows(db, 'people', [
    { id: ann, name: 'Ann' },
    { id: anonymous, merchant_id: shopB },
  ]);
  app = Fastify();
  registerRoutes(app, {
    models: shopModels,
    behaviours: { people: behaviourOf('people'), orders: behaviourOf('orders') },
    reader: createReader({
      db,
      models: shopModels,
      cursor_key: 'test',
      described_by: `${base_url}/openapi.json`,
    }),
    idempotencyLookup: createIdempotencyLookup({ db, request_signer }),
    authenticate: () => ({
      scope: { merchant_id: shopA, mode: 'sandbox' },
      now: () => 1_795_232_640_123_456,
      request_id: 'r',
      base_url,
      permissions,
      settings,
    }),
    base_url,
    translate: (error) =>
      error instanceof QueueFull ? problem('overloaded', 'Try again.') : error,
    report: (error) => reportedErrors.push(error),
  });
});

afterAll(async () => {
  await app.close();
  await db[Symbol.asyncDispose]();
});

const send = (
  method: InjectOptions['method'],
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
) =>
  app.inject({
    method: method ?? 'GET',
    url,
    headers: { ...(body !== undefined && { 'content-type': MEDIA_TYPE }), ...headers },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

const personBody = (
  attributes: Record<string, unknown>,
  extraMembers: Record<string, unknown> = {},
) => ({
  data: { type: 'people', attributes, ...extraMembers },
});

const codeOf = (response: { json(): { errors: { code: string }[] } }) =>
  response.json().errors[0]?.code;

describe('every answer', () => {
  it.each([
    ['GET', '/v2/people', 200],
    ['GET', `/v2/people/${ann}`, 200],
    ['GET', `/v2/people/${anonymous}`, 404],
    ['GET', '/v2/people?foo=1', 400],
    ['DELETE', `/v2/people/${ann}`, 405],
    ['POST', '/v2/people', 400],
  ] as const)('to %s %s is %i with the bare media type and Vary', async (method, url, status) => {
    const response = await send(method, url);
    expect(response.statusCode).toBe(status);
    expect(response.headers).toMatchObject({ 'content-type': MEDIA_TYPE, vary: 'Accept' });
    expect(response.json().jsonapi).toEqual({ version: '1.1' });
  });

  it('links to the description of the interface', async () => {
    expect((await send('GET', '/v2/people')).json().links.describedby).toBe(
      `${base_url}/openapi.json`,
    );
  });

  it('is refused if the client does not accept JSON:API', async () => {
    expect((await send('GET', '/v2/people', undefined, { accept: 'text/html' })).statusCode).toBe(
      406,
    );
  });
});

describe('addresses', () => {
  it('answer HEAD like GET, without a body', async () => {
    const response = await send('HEAD', '/v2/people');
    expect([response.statusCode, response.headers['content-type'], response.body]).toEqual([
      200,
      MEDIA_TYPE,
      '',
    ]);
  });

  it.each([
    ['/v2/people', 'GET, POST, HEAD, OPTIONS'],
    [`/v2/people/${ann}`, 'GET, PATCH, PUT, HEAD, OPTIONS'],
    [`/v2/orders/${ann}/pay`, 'POST, PATCH, PUT, OPTIONS'],
    [`/v2/people/${ann}/relationships/orders`, 'GET, HEAD, OPTIONS'],
    ['/v2/shops', 'GET, HEAD, OPTIONS'],
  ])('%s lists its methods %s', async (url, allow) => {
    const optionsResponse = await send('OPTIONS', url);
    expect([optionsResponse.statusCode, optionsResponse.headers.allow]).toEqual([204, allow]);
    const refusedResponse = await send('DELETE', url);
    expect([
      refusedResponse.statusCode,
      refusedResponse.headers.allow,
      codeOf(refusedResponse),
    ]).toEqual([405, allow, 'method_not_allowed']);
  });
});

describe('writes', () => {
  it('create a record, name its location, and honour fields and include', async () => {
    const body = personBody(
      { email: 'new@x.example' },
      { relationships: { friend: { data: { type: 'people', id: ann } } } },
    );
    const response = await send(
      'POST',
      '/v2/people?include=friend&fields[people]=email,key,friend',
      body,
    );
    expect(response.statusCode).toBe(201);
    const { data, included } = response.json();
    expect(data.attributes).toEqual({ email: 'new@x.example', key: 'shown-once' });
    expect(included).toEqual([expect.objectContaining({ id: ann })]);
    expect(response.headers.location).toBe(data.links.self);
    const fetchedAgain = await send('GET', new URL(data.links.self).pathname);
    expect(fetchedAgain.json().data.attributes).toMatchObject({
      email: 'new@x.example',
      key: null,
      created_at: '2026-11-21T03:44:00.123456Z',
    });
  });

  it.each(['PATCH', 'PUT'] as const)('update by %s', async (method) => {
    const response = await send(
      method,
      `/v2/people/${ann}`,
      personBody({ name: method }, { id: ann }),
    );
    expect([response.statusCode, response.json().data.attributes.name]).toEqual([200, method]);
  });

  it('act with and without a body', async () => {
    const id = uuid('c', 1);
    await insertRows(db, 'orders', [{ id }]);
    const document = { data: { type: 'orders', id, attributes: { ignored: true } } };
    for (const [method, body] of [['PATCH'], ['POST'], ['PATCH', document]] as const) {
      const response = await send(method, `/v2/orders/${id}/pay`, body);
      expect([response.statusCode, response.json().data.attributes.state]).toEqual([200, 'paid']);
    }
  });

  it.each([
    ['no content type', { 'content-type': '' }, 415],
    ['another content type', { 'content-type': 'application/json' }, 415],
    ['a charset', { 'content-type': `${MEDIA_TYPE}; charset=utf-8` }, 415],
    ['a profile', { 'content-type': `${MEDIA_TYPE}; profile="https://x.example/p"` }, 422],
  ])('with %s', async (_, headers, status) => {
    expect((await send('POST', '/v2/people', personBody({}), headers)).statusCode).toBe(status);
  });

  it('check their query before they store anything', async () => {
    const countBefore = (await send('GET', '/v2/people')).json().data.length;
    const response = await send(
      'POST',
      '/v2/people?include=nope',
      personBody({ email: 'x@x.example' }),
    );
    expect([response.statusCode, codeOf(response)]).toEqual([400, 'invalid_include']);
    expect((await send('GET', '/v2/people')).json().data).toHaveLength(countBefore);
  });

  it('refuse a body that is too large', async () => {
    const response = await send('POST', '/v2/people', 'x'.repeat(300_000));
    expect([response.statusCode, codeOf(response)]).toEqual([413, 'body_too_large']);
  });

  it.each([`/v2/people/${anonymous}`, '/v2/people/7'])('of %s find nothing', async (url) => {
    const response = await send(
      'PATCH',
      url,
      personBody({ name: 'x' }, { id: url.split('/').at(-1) }),
    );
    expect([response.statusCode, codeOf(response)]).toEqual([404, 'not_found']);
  });

  it('that fail unexpectedly are logged, and the client gets no reason', async () => {
    const response = await send(
      'POST',
      '/v2/people',
      personBody({ email: 'x@x.example', name: 'boom' }),
    );
    expect([response.statusCode, codeOf(response)]).toEqual([500, 'internal']);
    expect(response.body).not.toContain('fire');
    expect(reportedErrors).toEqual([new Error('relation "people" is on fire')]);
  });
});

describe('errors of lower layers', () => {
  it('are translated if the server knows them, and then not logged', async () => {
    const reportsBefore = reportedErrors.length;
    const body = personBody({ email: 'x@x.example', name: 'busy' });
    const response = await send('POST', '/v2/people', body);
    expect([response.statusCode, codeOf(response)]).toEqual([503, 'overloaded']);
    expect(reportedErrors).toHaveLength(reportsBefore);
  });
});

describe('permissions', () => {
  it.each([
    [[], 'GET', '/v2/people', 403],
    [['consumer.people.read'], 'GET', '/v2/people', 200],
    [['consumer.people.update'], 'GET', '/v2/people', 403],
    [['consumer.people.read'], 'GET', `/v2/people/${ann}`, 200],
    [['consumer.people.read'], 'POST', '/v2/people', 403],
    [['consumer.people.read'], 'PATCH', `/v2/people/${ann}`, 403],
    [['consumer.people.read'], 'GET', `/v2/people/${ann}/relationships/orders`, 403],
    [
      ['consumer.people.read', 'transaction.orders.read'],
      'GET',
      `/v2/people/${ann}/relationships/orders`,
      200,
    ],
  ] as const)('%j to %s %s: %i', async (held, method, url, status) => {
    permissions = new Set(held);
    const response = await send(method, url);
    permissions = 'all';
    expect(response.statusCode).toBe(status);
    if (status === 403)
      expect(response.json().errors[0].detail).toMatch(
        /^Token does not have permission to access (\w+)\. Required: \w+\.\1\.\w+\.$/,
      );
  });
});

describe('registerRoutes', () => {
  it('throws when a declared operation has no behaviour', async () => {
    const bareApp = Fastify();
    const options = {
      models: shopModels,
      behaviours: {},
      reader: createReader({ db, models: shopModels, cursor_key: 'test' }),
      idempotencyLookup: createIdempotencyLookup({ db, request_signer }),
      authenticate: () => {
        throw new Error('not asked');
      },
      base_url,
      report: () => {},
    };
    expect(() => registerRoutes(bareApp, options)).toThrow(
      'people declares create, update but has no behaviour for it',
    );
    await bareApp.close();
  });
});
