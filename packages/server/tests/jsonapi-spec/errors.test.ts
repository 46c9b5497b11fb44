import { errorTable } from '@florin/contract/errors.ts';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Answer, documentOf, MEDIA_TYPE, UNKNOWN_ID } from '../support/client.ts';
import { violationsOf } from '../support/json-api-document.ts';
import { makeCustomer } from '../support/make.ts';
import { rawRequest } from '../support/raw-request.ts';
import { errorsOf } from '../support/resource-suite.ts';

const api = useApi();
const invalidCustomer = documentOf('customers', { email: 'nobody' });
const validCustomer = documentOf('customers', { email: 'a@example.com' });

const refusedRequests: readonly (readonly [
  title: string,
  status: number,
  send: () => Promise<Answer>,
])[] = [
  ['a malformed body', 400, () => api.client.send('POST', '/v2/customers', '{')],
  ['an unknown parameter', 400, () => api.client.get('/v2/customers?a=1')],
  ['a broken percent-encoding', 400, () => api.client.get('/v2/customers?filter[name]=%E0%A4')],
  ['no key', 401, () => api.client.get('/v2/customers', { authorization: null })],
  ['a forbidden address', 403, () => api.client.get('/v1/meters')],
  ['an unknown record', 404, () => api.client.get('/v2/customers/x')],
  ['an unknown address', 404, () => api.client.get('/v3/x')],
  ['a refused method', 405, () => api.client.send('DELETE', '/v2/customers')],
  ['a refused Accept', 406, () => api.client.get('/v2/customers', { accept: 'text/html' })],
  [
    'another type',
    409,
    () => api.client.send('POST', '/v2/customers', { data: { ...validCustomer.data, type: 'x' } }),
  ],
  ['a large body', 413, () => api.client.send('POST', '/v2/customers', 'x'.repeat(300_000))],
  [
    'a refused type',
    415,
    () =>
      api.client.send('POST', '/v2/customers', invalidCustomer, { 'content-type': 'text/plain' }),
  ],
  ['a bad value', 422, () => api.client.send('POST', '/v2/customers', invalidCustomer)],
  ['a bad parameter', 422, () => api.client.get('/v2/customers?page[size]=x')],
];

describe('a deletion', () => {
  it('#153 is 405 everywhere, and the record stays', async () => {
    const { id } = await makeCustomer(api.client);
    for (const path of [`/v2/customers/${id}`, `/v2/customers/${UNKNOWN_ID}`]) {
      const answer = await api.client.send('DELETE', path);
      expect([answer.status, errorsOf(answer)]).toEqual([405, [['method_not_allowed', undefined]]]);
      expect(answer.headers.get('allow')).toBe('GET, PATCH, PUT, HEAD, OPTIONS');
    }
    expect(await api.client.fetch('customers', id)).toMatchObject({ id });
  });
});

describe('an error document', () => {
  it.each(refusedRequests)(
    '#154 has errors with JSON:API members only: %s, %i',
    async (_title, status, send) => {
      const { status: answerStatus, headers, body } = await send();
      expect([answerStatus, headers.get('content-type')]).toEqual([status, MEDIA_TYPE]);
      expect([body.errors?.length, violationsOf(body)]).toEqual([1, []]);
    },
  );

  it('#155 has its status as a string: that of its errors or their class', async () => {
    for (const [, status, send] of refusedRequests)
      expect((await send()).body.errors?.[0]?.status).toBe(String(status));
    const answer = await api.client.send('POST', '/v2/customers', {
      data: { type: 'events', id: UNKNOWN_ID, attributes: {} },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.errors?.map(({ status }) => status)).toEqual(['409', '403', '422']);
  });

  it('#156 has a fixed code and title, and its own detail', async () => {
    for (const [, , send] of refusedRequests) {
      const [error, repeatedError] = [
        (await send()).body.errors![0]!,
        (await send()).body.errors![0]!,
      ];
      const { title } = errorTable[error.code as keyof typeof errorTable];
      expect([error.title, error.detail]).toEqual([title, expect.stringMatching(/^[A-Z\w].*\.$/s)]);
      expect({ ...error, id: '' }).toEqual({ ...repeatedError, id: '' });
      expect(error).not.toEqual(repeatedError);
    }
  });

  it('links to the page of its code in the documentation', async () => {
    for (const [, , send] of refusedRequests) {
      const { code, links } = (await send()).body.errors![0]!;
      expect(links?.about).toBe(`${api.stack.baseUrl}/docs/errors/${code}`);
    }
  });

  it('#157 points to one source: a member of the body, a parameter or a header', async () => {
    const body = documentOf('payment_demands', {
      amount_cents: 1,
      amount_currency: 'USD',
      line_items: [{ quantity: 'x', amount_cents: 1, amount_currency: 'USD' }],
    });
    const { body: errorDocument } = await api.client.send('POST', '/v2/payment_demands', body);
    const pointedValues = errorDocument.errors!.map(({ source }) =>
      valueAt(body, source!.pointer!),
    );
    expect(pointedValues).toEqual([1, 'x']);
    for (const [, , send] of refusedRequests) {
      const { source = {} } = (await send()).body.errors![0]!;
      expect(Object.keys(source).length).toBeLessThanOrEqual(1);
    }
  });

  it('#158 lists every mistake of a document', async () => {
    const answer = await api.client.send(
      'POST',
      '/v2/consumer_addresses',
      documentOf('consumer_addresses', { line_2: 7, country: 'XX' }),
    );
    expect(answer.status).toBe(422);
    expect(errorsOf(answer).sort()).toEqual([
      ['blank', '/data/attributes/city'],
      ['blank', '/data/attributes/line_1'],
      ['blank', '/data/attributes/state'],
      ['blank', '/data/attributes/zip'],
      ['invalid', '/data/attributes/country'],
      ['invalid', '/data/attributes/line_2'],
    ]);
  });

  it('has a limit in words and as a number', async () => {
    const limits: [number, Answer][] = [
      [262_144, await api.client.send('POST', '/v2/customers', 'x'.repeat(300_000))],
      [20, await api.client.send('POST', '/v2/customers', nestedArrays(30))],
      [500, await api.client.get('/v2/customers?page[size]=501')],
      [10_000, await api.client.get('/v2/customers?page[offset]=10001')],
      [100, await api.client.get(`/v2/customers?${'sort=id&'.repeat(101)}`)],
      [
        5,
        await api.client.get(
          '/v2/payment_demands?sort=id,status,description,fee_cents,created_at,updated_at',
        ),
      ],
      [3, await api.client.get('/v2/payment_demands?include=payer.addresses.customer.merchant')],
      [200, await patchName('x'.repeat(300))],
    ];
    for (const [limit, { body }] of limits) {
      const { detail, meta } = body.errors![0]!;
      expect([detail, meta]).toEqual([
        expect.stringContaining(String(limit)),
        expect.objectContaining({ limit }),
      ]);
    }
  });
});

describe('an internal error', () => {
  it('#159 reveals nothing but an id to find it by', async () => {
    const { db } = api.fixtures;
    const { id } = await makeCustomer(api.client);
    await db.query('alter table customers rename column phone_number to lost', []);
    const answer = await api.client.get(`/v2/customers/${id}`);
    await db.query('alter table customers rename column lost to phone_number', []);
    expect([answer.status, violationsOf(answer.body)]).toEqual([500, []]);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.body.errors).toEqual([
      {
        id: expect.any(String),
        links: { about: `${api.stack.baseUrl}/docs/errors/internal` },
        status: '500',
        code: 'internal',
        title: errorTable.internal.title,
        detail:
          'Florin could not complete the request. Send it again with the same idempotency key.',
      },
    ]);
  });

  it.each<[title: string, status: number, code: string, request: Parameters<typeof rawRequest>[1]]>(
    [
      [
        'a bad percent-encoding of the query',
        400,
        'invalid_url',
        { path: '/v2/customers?filter[name]=%ZZ' },
      ],
      [
        'a bad percent-encoding of the path',
        400,
        'invalid_url',
        { path: '/v2/customers/%E0%A4%A' },
      ],
      [
        'a query that is too long',
        400,
        'query_too_costly',
        { path: `/v2/customers?sort=${'x'.repeat(40_000)}` },
      ],
      [
        'a head that is too large',
        431,
        'head_too_large',
        { path: `/v2/customers?sort=${'x'.repeat(80_000)}` },
      ],
      ['a body that is too large', 413, 'body_too_large', postRequest('x'.repeat(300_000))],
      ['a body that is too deep', 400, 'invalid_document', postRequest(nestedArrays(30))],
      [
        'a body that is no UTF-8',
        400,
        'malformed_json',
        postRequest(Buffer.from('{"data":"\u00ff"}', 'latin1')),
      ],
    ],
  )(
    '#160 before a request is understood is an error document as well: %s',
    async (_title, status, code, request) => {
      const answer = await rawRequest(api.stack.baseUrl, {
        ...request,
        headers: {
          authorization: `Bearer ${api.stack.credentials.sandbox.secret_key}`,
          'user-agent': 'florin-tests/1',
          ...request.headers,
        },
      });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([status, MEDIA_TYPE]);
      expect([violationsOf(answer.body), errorsOf(answer)[0]?.[0]]).toEqual([[], code]);
      const { links } = answer.body.errors![0]!;
      expect(links?.about).toBe(`${api.stack.baseUrl}/docs/errors/${code}`);
      expect(answer.headers.get('x-request-id')).toBeTruthy();
      expect(answer.headers.get('vary')).toBe('Accept');
    },
  );
});

const postRequest = (body: string | Buffer) => ({
  method: 'POST',
  path: '/v2/customers',
  headers: { 'content-type': MEDIA_TYPE },
  body,
});

const nestedArrays = (levels: number): string =>
  `{"data":${'['.repeat(levels)}${']'.repeat(levels)}}`;

async function patchName(name: string): Promise<Answer> {
  const { id } = await makeCustomer(api.client);
  return api.client.send('PATCH', `/v2/customers/${id}`, documentOf('customers', { name }, {}, id));
}

/** The value at an RFC 6901 pointer. */
const valueAt = (document: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce((value, segment) => (value as Record<string, unknown>)[segment], document);
