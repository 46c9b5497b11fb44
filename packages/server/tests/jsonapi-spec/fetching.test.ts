import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf, MEDIA_TYPE, type ResourceObject, UNKNOWN_ID } from '../support/client.ts';
import { makeAddress, makeCustomer, makeDemand } from '../support/make.ts';
import { rawRequest } from '../support/raw-request.ts';
import { errorsOf, patch } from '../support/resource-suite.ts';

const api = useApi();
let demand: ResourceObject;
beforeAll(async () => {
  demand = await makeDemand(api.client, {}, { payer: await makeCustomer(api.client) });
});

const fetchError = async (path: string) => {
  const answer = await api.client.get(path);
  expect(answer.headers.get('content-type')).toBe(MEDIA_TYPE);
  return [answer.status, errorsOf(answer)];
};
const NOT_FOUND = [404, [['not_found', undefined]]];

describe('a fetch', () => {
  it('#114 of a record is 200, with its id in any case', async () => {
    const { status, body } = await api.client.get(`/v2/payment_demands/${demand.id.toUpperCase()}`);
    expect([status, body.data]).toEqual([200, demand]);
  });

  it('#115 of an unknown or invalid id is 404', async () => {
    for (const id of [UNKNOWN_ID, '1', demand.id])
      expect([id, await fetchError(`/v2/customers/${id}`)]).toEqual([id, NOT_FOUND]);
  });

  it('#116 of a to-one relationship is its record or null; an unknown relationship or record is 404', async () => {
    const path = `/v2/payment_demands/${demand.id}/relationships`;
    const payerAnswer = await api.client.get(`${path}/payer`);
    expect(payerAnswer.body.data).toEqual(
      await api.client.fetch('customers', payerAnswer.body.data.id),
    );
    expect(payerAnswer.body.links.self).toMatch(new RegExp(`${path}/payer$`));
    const receiverAnswer = await api.client.get(`${path}/receiver`);
    expect([receiverAnswer.status, receiverAnswer.body.data]).toEqual([200, null]);
    const unknownRecordPath = `/v2/customers/${UNKNOWN_ID}/relationships`;
    for (const unknownPath of [
      `${path}/cats`,
      `${unknownRecordPath}/merchant`,
      `${unknownRecordPath}/addresses`,
    ])
      expect([unknownPath, await fetchError(unknownPath)]).toEqual([unknownPath, NOT_FOUND]);
  });

  it('#117 of a to-many relationship is a list with pages', async () => {
    const customer = await makeCustomer(api.client);
    for (const city of ['A', 'B', 'C']) await makeAddress(api.client, { city }, { customer });
    const path = `/v2/customers/${customer.id}/relationships/addresses`;
    const firstPage = (await api.client.get(`${path}?page[size]=2`)).body;
    const secondPage = (await api.client.get(firstPage.links.next!)).body;
    const cities = [firstPage, secondPage].map(({ data }) =>
      data.map(({ attributes }: ResourceObject) => attributes.city),
    );
    expect(cities).toEqual([['C', 'B'], ['A']]);
    expect(firstPage.links.next).toContain(path);
  });

  it.each([
    '/v2/cats',
    '/v2',
    '/',
    '/v3/customers',
    `/v2/customers/${UNKNOWN_ID}/relationships/merchant/name`,
    `/v2/customers/${UNKNOWN_ID}/relationships`,
    `/v2/customers/${UNKNOWN_ID}/merchant`,
    `/v2/customers/${UNKNOWN_ID}/confirm`,
  ])('#119 of an unknown address is 404 with an error document: %s', async (path) => {
    expect(await fetchError(path === '/' ? '/nothing' : path)).toEqual(NOT_FOUND);
  });

  it('with a body and a Content-Type is answered like any other', async () => {
    const { sandbox } = api.stack.credentials;
    const answer = await rawRequest(api.stack.baseUrl, {
      path: `/v2/payment_demands/${demand.id}`,
      headers: {
        authorization: `Bearer ${sandbox.secret_key}`,
        'user-agent': 'florin-tests/1',
        'content-type': 'application/json',
        'content-length': '2',
      },
      body: '{}',
    });
    expect([answer.status, answer.body.data]).toEqual([200, demand]);
  });

  it('of usage metering, which does not exist here, is 403', async () => {
    expect(await fetchError('/v1/meters')).toEqual([403, [['forbidden', undefined]]]);
  });

  it.each(['/api/v2/', '/api/', '/', '/v2/v2/', '/api/v2/v2/'])(
    'is the same below %s as below /v2/',
    async (prefix) => {
      const { status, body } = await api.client.get(`${prefix}payment_demands/${demand.id}?`);
      expect([status, body.data]).toEqual([200, demand]);
    },
  );
});

describe('methods', () => {
  const allowedMethods = [
    ['/v2/customers', 'GET, POST, HEAD, OPTIONS'],
    [`/v2/customers/${UNKNOWN_ID}`, 'GET, PATCH, PUT, HEAD, OPTIONS'],
    ['/v2/events', 'GET, HEAD, OPTIONS'],
    [`/v2/payment_demands/${UNKNOWN_ID}/confirm`, 'POST, PATCH, PUT, OPTIONS'],
    [`/v2/customers/${UNKNOWN_ID}/relationships/merchant`, 'GET, HEAD, OPTIONS'],
  ] as const;

  it.each(allowedMethods)(
    '#118 are listed by OPTIONS, and others are 405: %s',
    async (path, allow) => {
      const options = await api.client.send('OPTIONS', path);
      expect([options.status, options.headers.get('allow')]).toEqual([204, allow]);
      const otherMethods = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'].filter(
        (method) => !allow.split(', ').includes(method),
      );
      for (const method of otherMethods) {
        const answer = await api.client.send(method, path);
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
        if (method !== 'HEAD')
          expect(errorsOf(answer)).toEqual([['method_not_allowed', undefined]]);
      }
    },
  );

  it('HEAD has the headers of GET, and no body', async () => {
    for (const path of [
      '/v2/customers',
      `/v2/payment_demands/${demand.id}`,
      '/v2/customers/none',
    ]) {
      const [headAnswer, getAnswer] = [
        await api.client.send('HEAD', path),
        await api.client.get(path),
      ];
      expect([headAnswer.status, headAnswer.body]).toEqual([getAnswer.status, undefined]);
      for (const name of ['content-type', 'content-length', 'vary', 'etag'])
        expect([path, headAnswer.headers.get(name)]).toEqual([path, getAnswer.headers.get(name)]);
    }
  });
});

describe('every answer', () => {
  it("has the id of its request, the client's own if given", async () => {
    const paths = [
      `/v2/payment_demands/${demand.id}`,
      '/v2/customers/none',
      '/nothing',
      '/v2/customers?a=1',
      '/v2/customers/%ZZ',
      '/v1/meters',
    ];
    for (const path of paths) {
      const { headers } = await api.client.get(path, { 'x-request-id': 'trace-0007' });
      expect([path, headers.get('x-request-id')]).toEqual([path, 'trace-0007']);
      const generatedId = (await api.client.get(path)).headers.get('x-request-id');
      expect(generatedId, path).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

describe('an entity tag', () => {
  it('#120 that matches is answered 304 without the document', async () => {
    for (const path of [
      `/v2/payment_demands/${demand.id}`,
      `/v2/payment_demands/${demand.id}?include=payer`,
      `/v2/payment_demands/${demand.id}/relationships/receiver`,
      '/v2/payment_demands?page[size]=1',
    ]) {
      const { status, headers } = await api.client.get(path);
      const etag = headers.get('etag')!;
      expect([status, etag]).toEqual([200, expect.stringMatching(/^(?:W\/)?"[\w.-]+"$/)]);
      for (const matchingTag of [etag, `"other", ${etag}`, '*', `W/${etag.replace(/^W\//, '')}`]) {
        const answer = await api.client.get(path, { 'if-none-match': matchingTag });
        expect([matchingTag, answer.status, answer.body]).toEqual([matchingTag, 304, undefined]);
        expect([answer.headers.get('etag'), answer.headers.get('vary')]).toEqual([etag, 'Accept']);
      }
      for (const otherTag of ['"other"', etag.slice(0, -1), 'nonsense', '']) {
        const answer = await api.client.get(path, { 'if-none-match': otherTag });
        expect([otherTag, answer.status]).toEqual([otherTag, 200]);
      }
    }
  });

  it('changes with the record, and with the shown fields', async () => {
    const customer = await makeCustomer(api.client);
    const readTag = async (query = '') =>
      (await api.client.get(`/v2/customers/${customer.id}${query}`)).headers.get('etag');
    const readListTag = async () => (await api.client.get('/v2/customers')).headers.get('etag');
    const [tagBefore, sparseTag, listTag] = [
      await readTag(),
      await readTag('?fields[customers]=name'),
      await readListTag(),
    ];
    const updateAnswer = await patch(api, customer, { description: 'new' });
    const tagAfter = await readTag();
    expect(
      new Set([tagBefore, sparseTag, tagAfter, await readTag('?fields[customers]=name')]).size,
    ).toBe(4);
    expect(await readListTag()).not.toBe(listTag);
    expect(updateAnswer.headers.get('etag')).toBe(tagAfter);
  });

  it('of a new record equals that of its fetch', async () => {
    const document = documentOf('customers', { email: 'new@example.com' });
    const createAnswer = await api.client.send('POST', '/v2/customers', document);
    const fetchAnswer = await api.client.get(createAnswer.headers.get('location')!);
    expect(createAnswer.headers.get('etag')).toBe(fetchAnswer.headers.get('etag'));
  });
});
