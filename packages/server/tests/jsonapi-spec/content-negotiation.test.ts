import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Answer, documentOf, MEDIA_TYPE } from '../support/client.ts';
import { makeCustomer } from '../support/make.ts';

const api = useApi();
let path: string;
beforeAll(async () => {
  path = `/v2/customers/${(await makeCustomer(api.client)).id}`;
});

const UNKNOWN_EXT = `${MEDIA_TYPE}; ext="https://unknown.example/x"`;
const UNKNOWN_PROFILE = `${MEDIA_TYPE}; profile="https://unknown.example/p"`;
const CURSOR_PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/';
const body = documentOf('customers', { email: 'a@example.com' });
const post = (contentType: string | null, document: unknown = body) =>
  api.client.send('POST', '/v2/customers', document, { 'content-type': contentType });
const getAccepting = (accept: string) => api.client.get(path, { accept });
const typeOf = ({ status, headers }: Answer) => [status, headers.get('content-type')];

function expectRefusal(answer: Answer, status: 406 | 415): void {
  expect(typeOf(answer)).toEqual([status, MEDIA_TYPE]);
  const expectedErrors = {
    406: { code: 'not_acceptable', source: { header: 'Accept' } },
    415: { code: 'unsupported_media_type', source: { header: 'Content-Type' } },
  };
  expect(answer.body.errors).toEqual([expect.objectContaining(expectedErrors[status])]);
}

describe('an answer', () => {
  it('#1 to a GET has the media type without parameters', async () => {
    expect(typeOf(await api.client.get(path))).toEqual([200, MEDIA_TYPE]);
  });

  it.each(['/v2/customers/none', '/v2/nothing', '/nothing'])(
    '#2 that is an error has it as well: %s',
    async (unknownPath) => {
      expect(typeOf(await api.client.get(unknownPath))).toEqual([404, MEDIA_TYPE]);
    },
  );

  it('to a write has it too', async () => {
    expect(typeOf(await post(MEDIA_TYPE))).toEqual([201, MEDIA_TYPE]);
  });
});

describe('Accept', () => {
  it('#3 that is missing means JSON:API', async () => {
    expect(typeOf(await api.client.get(path, { accept: null }))).toEqual([200, MEDIA_TYPE]);
  });

  it.each(['*/*', 'application/*', `text/html, */*;q=0.1`])(
    '#4 with a wildcard is answered: %s',
    async (accept) => {
      expect(typeOf(await getAccepting(accept))).toEqual([200, MEDIA_TYPE]);
    },
  );

  it.each([`${MEDIA_TYPE}; charset=utf-8`, `${MEDIA_TYPE}; charset=utf-8, */*`])(
    '#5 with a parameter on each instance is 406: %s',
    async (accept) => {
      expectRefusal(await getAccepting(accept), 406);
    },
  );

  it('#6 with an invalid and a valid media type is answered', async () => {
    expect(typeOf(await getAccepting(`${MEDIA_TYPE}; foo=bar, ${MEDIA_TYPE}`))).toEqual([
      200,
      MEDIA_TYPE,
    ]);
  });

  it('#7 with an unknown extension only is 406', async () => {
    expectRefusal(await getAccepting(UNKNOWN_EXT), 406);
  });

  it('#8 with and without an unknown extension is answered without it', async () => {
    expect(typeOf(await getAccepting(`${UNKNOWN_EXT}, ${MEDIA_TYPE}`))).toEqual([200, MEDIA_TYPE]);
  });

  it('#9 with an unknown profile is answered without it', async () => {
    const answer = await getAccepting(UNKNOWN_PROFILE);
    expect(typeOf(answer)).toEqual([200, MEDIA_TYPE]);
    expect(answer.body).toMatchObject({ jsonapi: { version: '1.1' } });
    expect(JSON.stringify(answer.body)).not.toContain('unknown.example');
  });

  it.each([
    `${MEDIA_TYPE}; profile="${CURSOR_PROFILE}"`,
    `${MEDIA_TYPE};profile="https://unknown.example/p ${CURSOR_PROFILE}"`,
    `Application/VND.api+JSON ; PROFILE="${CURSOR_PROFILE}";q=0.5`,
  ])('#10 with a known profile is answered with it, in the Content-Type: %s', async (accept) => {
    const answer = await api.client.get('/v2/customers', { accept });
    expect(typeOf(answer)).toEqual([200, `${MEDIA_TYPE}; profile="${CURSOR_PROFILE}"`]);
  });

  it('with a profile for lists does not affect a single record', async () => {
    const answer = await getAccepting(`${MEDIA_TYPE}; profile="${CURSOR_PROFILE}"`);
    expect(typeOf(answer)).toEqual([200, MEDIA_TYPE]);
  });

  it.each([
    'text/html',
    'application/json',
    `${MEDIA_TYPE};q=0`,
    `${MEDIA_TYPE};q=0.000, text/html`,
    `${MEDIA_TYPE};q=0, */*`,
    '*/*;q=0',
    'application/*;q=0, */*',
  ])('#11 with other types only, or with weight zero, is 406: %s', async (accept) => {
    expectRefusal(await getAccepting(accept), 406);
  });

  it('that refuses the answer to a write prevents the write', async () => {
    const answer = await api.client.send(
      'POST',
      '/v2/customers',
      documentOf('customers', { email: 'unseen@example.com' }),
      { accept: 'text/html' },
    );
    expect(answer.status).toBe(406);
    const { body: list } = await api.client.get('/v2/customers?filter[email]=unseen@example.com');
    expect(list.data).toEqual([]);
  });
});

describe('Content-Type', () => {
  it('#12 with a charset is 415', async () => {
    expectRefusal(await post(`${MEDIA_TYPE}; charset=utf-8`), 415);
  });

  it('#13 with an unknown extension is 415', async () => {
    expectRefusal(await post(UNKNOWN_EXT), 415);
  });

  it.each([UNKNOWN_PROFILE, `${MEDIA_TYPE}; profile="${CURSOR_PROFILE}"`])(
    '#14 with any profile is accepted: %s',
    async (type) => {
      expect(typeOf(await post(type))).toEqual([201, MEDIA_TYPE]);
    },
  );

  it.each(['application/json', 'application/x-www-form-urlencoded', 'text/plain', null])(
    '#15 with another type, or none, is 415: %s',
    async (type) => {
      expectRefusal(await post(type, new TextEncoder().encode('{}')), 415);
    },
  );

  it.each(['Application/Vnd.Api+Json', ` ${MEDIA_TYPE} ; Profile="a b" `])(
    '#16 is parsed in any case, with spaces and quoted values: %s',
    async (type) => {
      expect((await post(type)).status).toBe(201);
      expect((await getAccepting(type)).status).toBe(200);
    },
  );
});

describe('all answers', () => {
  it.each([
    [200, () => api.client.get(path)],
    [201, () => post(MEDIA_TYPE)],
    [204, () => api.client.send('OPTIONS', path)],
    [304, () => api.client.get(path, { 'if-none-match': '*' })],
    [400, () => api.client.get('/v2/customers?a=1')],
    [401, () => api.client.get(path, { authorization: null })],
    [403, () => api.client.get('/v1/meters')],
    [404, () => api.client.get('/v2/customers/none')],
    [404, () => api.client.get('/nothing')],
    [405, () => api.client.send('DELETE', path)],
    [406, () => getAccepting('text/html')],
    [415, () => post('text/plain')],
  ])('#17 vary by Accept: %i', async (status, send) => {
    const answer = await send();
    expect([answer.status, answer.headers.get('vary')]).toEqual([status, 'Accept']);
  });

  it('#18 are decided by the headers, whatever the jsonapi member of a body says', async () => {
    const answer = await post(MEDIA_TYPE, {
      ...body,
      jsonapi: { ext: ['https://unknown.example/x'], profile: [CURSOR_PROFILE] },
    });
    expect(typeOf(answer)).toEqual([201, MEDIA_TYPE]);
  });

  it('#19 to an unacceptable header name it', async () => {
    const [acceptAnswer, typeAnswer] = [await getAccepting('text/html'), await post('text/plain')];
    expect([acceptAnswer, typeAnswer].map((answer) => answer.body.errors?.[0]?.source)).toEqual([
      { header: 'Accept' },
      { header: 'Content-Type' },
    ]);
  });
});
