import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf, MEDIA_TYPE } from '../support/client.ts';
import { makeCustomer } from '../support/make.ts';

const api = useApi();
let path: string;
beforeAll(async () => {
  path = `/v2/customers/${(await makeCustomer(api.client)).id}`;
});

const UNKNOWN_EXT = `${MEDIA_TYPE}; ext="https://unknown.example/x"`;
const UNKNOWN_PROFILE = `${MEDIA_TYPE}; profile="https://unknown.example/p"`;
const body = documentOf('customers', { email: 'a@example.com' });
const post = (contentType: string | null, text: unknown = body) =>
  api.client.send('POST', '/v2/customers', text, { 'content-type': contentType });

describe('an answer', () => {
  it.each([
    ['1. a record', () => api.client.get(path), 200],
    ['2. an error', () => api.client.get('/v2/customers/none'), 404],
    ['2. an address that does not exist', () => api.client.get('/v2/nothing'), 404],
    ['1. a new record', () => post(MEDIA_TYPE), 201],
  ])('%s has the media type without parameters', async (_what, ask, status) => {
    const answer = await ask();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, MEDIA_TYPE]);
  });

  it.each([
    ['a record', 200, () => api.client.get(path)],
    ['an unknown record', 404, () => api.client.get('/v2/customers/none')],
    ['what cannot be accepted', 406, () => api.client.get(path, { accept: 'text/html' })],
    ['what cannot be read', 415, () => post('text/plain')],
  ])('17. to %s (%i) varies by Accept', async (_what, status, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(answer.headers.get('vary')).toContain('Accept');
  });
});

describe('Accept', () => {
  it.each([
    ['3. the media type', MEDIA_TYPE],
    ['4. anything', '*/*'],
    ['4. any application', 'application/*'],
    ['6. a bad instance and a good one', `${MEDIA_TYPE}; foo=bar, ${MEDIA_TYPE}`],
    ['8. an unknown extension and none', `${UNKNOWN_EXT}, ${MEDIA_TYPE}`],
    ['9. an unknown profile', UNKNOWN_PROFILE],
    ['16. capitals', 'APPLICATION/VND.API+JSON'],
    ['16. blanks and a weight', ` text/html , ${MEDIA_TYPE} ;q=0.5`],
  ])('%s is answered, with the plain media type', async (_what, accept) => {
    const answer = await api.client.get(path, { accept });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, MEDIA_TYPE]);
  });

  it.each([
    ['5. a parameter', `${MEDIA_TYPE}; charset=utf-8`],
    ['7. an unknown extension', UNKNOWN_EXT],
    ['11. another type', 'text/html'],
    ['11. a weight of nothing', `${MEDIA_TYPE};q=0`],
  ])('%s alone is 406, and 19. names the header', async (_what, accept) => {
    const answer = await api.client.get(path, { accept });
    expect(answer.status).toBe(406);
    expect(answer.headers.get('content-type')).toBe(MEDIA_TYPE);
    expect(answer.body.errors?.[0]).toMatchObject({
      code: 'not_acceptable',
      source: { header: 'Accept' },
    });
  });

  it('that refuses the answer to a write keeps the write from happening', async () => {
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
  it.each([
    ['12. a charset', `${MEDIA_TYPE}; charset=utf-8`],
    ['13. an unknown extension', UNKNOWN_EXT],
    ['15. plain JSON', 'application/json'],
    ['15. a form', 'application/x-www-form-urlencoded'],
    ['15. text', 'text/plain'],
  ])('%s is 415, and 19. names the header', async (_what, type) => {
    const answer = await post(type);
    expect(answer.status).toBe(415);
    expect(answer.body.errors?.[0]).toMatchObject({
      code: 'unsupported_media_type',
      source: { header: 'Content-Type' },
    });
  });

  it('15. that is missing is 415', async () => {
    const answer = await api.client.send('POST', '/v2/customers', new TextEncoder().encode('{}'), {
      'content-type': null,
    });
    expect(answer.status).toBe(415);
  });

  it.each([
    ['14. an unknown profile', UNKNOWN_PROFILE],
    ['16. capitals', 'Application/Vnd.Api+Json'],
  ])('%s is accepted', async (_what, type) => {
    expect((await post(type)).status).toBe(201);
  });

  it('18. is what counts, not the jsonapi member of the body', async () => {
    const answer = await post(MEDIA_TYPE, {
      ...body,
      jsonapi: { ext: ['https://unknown.example/x'], profile: ['https://unknown.example/p'] },
    });
    expect(answer.status).toBe(201);
  });
});
