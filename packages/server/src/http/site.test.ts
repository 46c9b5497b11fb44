import type { FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { OverloadedError } from '../platform/concurrency/overloaded.ts';
import { createLogger, type Logger } from '../platform/logger.ts';
import { type OpenSpan, setTracer } from '../platform/telemetry/tracing.ts';
import { createSite, knownApiError, knownError, report, type SiteOptions } from './site.ts';

it('no part of a database message is logged, however many lines it has', () => {
  const error = Object.assign(new Error('invalid input\nat "first"\nDETAIL: second'), {
    code: '22P02',
  });
  const lines: string[] = [];
  const logger = { error: (line: object) => lines.push(JSON.stringify(line)) };
  const request = { id: 'a request', routeOptions: { url: '/v2' } };
  report(logger as unknown as Logger, error, request as unknown as FastifyRequest);
  expect(lines.join()).toContain('22P02');
  expect(lines.join()).toContain('site.test.ts');
  expect(lines.join()).not.toMatch(/invalid|first|second/);
});

it.each(['57014', '55P03', '53100', '53300', '08006', '57P01'])(
  'a database failure with %s is reported as temporary',
  (code) => {
    const error = Object.assign(new Error('the database'), { code });
    expect(knownError(error)).toMatchObject({
      problems: [{ code: 'unavailable' }],
      headers: { 'retry-after': '1' },
    });
  },
);

it.each([
  ['a full disk', '53100', /disk of the database is full.*free some space/],
  ['too many connections', '53300', /accepts no more connections.*`max_connections`/],
  ['certificate has expired', 'CERT_HAS_EXPIRED', /certificate of the database is not valid/],
  ['no password', '28P01', /refuses the login.*`DATABASE_URL`/],
  ['timeout exceeded when trying to connect', '', /connections to the database are in use/],
  ['read ETIMEDOUT', 'ETIMEDOUT', /does not answer/],
  ['the database system is starting up', '57P03', /is starting/],
  ['The server does not support SSL connections', '', /does not support TLS.*`sslmode`/],
  ['statement timeout', '57014', /too busy/],
  ['merchant 018f moves to another cell', '55P03', /moves to another cell, which takes seconds/],
])('a database that fails with "%s" is a 503 that names the cause', (message, code, detail) => {
  const error = Object.assign(new Error(message), code && { code });
  expect(knownError(error)).toMatchObject({
    problems: [{ code: 'unavailable', detail: expect.stringMatching(detail) }],
  });
});

describe('a request that exceeds a limit of its merchant', () => {
  const answerOf = async (translate?: SiteOptions['translate']) => {
    const site = createSite(createLogger('silent'), {
      base_url: 'http://localhost:4000',
      ...(translate && { translate }),
    });
    site.get('/', async () => {
      throw new OverloadedError({ limit: 'waiting', max: 4096, of_owner: 4001 });
    });
    return site.inject({ path: '/' });
  };

  it('gets a 503 without the numbers from a site of payers', async () => {
    const { statusCode, headers, body } = await answerOf();
    expect([statusCode, headers['retry-after']]).toEqual([503, '1']);
    expect(body).toContain('Too many requests are waiting. Try again in a moment.');
    expect(body).not.toMatch(/4096|4001|meta/);
  });

  it('gets a 503 with limit and numbers from the API', async () => {
    const response = await answerOf(knownApiError);
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '1']);
    expect(response.json().errors[0]).toMatchObject({
      detail: expect.stringContaining('this merchant has the most: 4001.'),
      meta: { limit: 'waiting', max: 4096, of_owner: 4001 },
    });
  });
});

describe('a site of payers whose database does not answer', () => {
  const answerOf = (method: 'GET' | 'POST', headers: Record<string, string>, isKnown = true) => {
    const base_url = 'http://localhost:4000';
    const site = createSite(createLogger('silent'), { base_url, hasOutagePage: true });
    site.route({
      method,
      url: '/pay/:id',
      handler: async () => {
        throw Object.assign(new Error('a failure'), isKnown && { code: '57P01' });
      },
    });
    return site.inject({ method, path: '/pay/1?locale=de', headers });
  };
  const [browser, program] = [{ accept: 'text/html' }, { accept: 'application/json' }];

  it.each([
    ['says that nothing was charged to a person who opened it', 'GET', true],
    ['makes no such promise to a person who sent a form', 'POST', false],
  ] as const)('%s', async (_, method, isUncharged) => {
    const { statusCode, headers, body } = await answerOf(method, browser);
    expect([statusCode, headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
    expect(headers['retry-after']).toBe('10');
    expect(body).toContain('lang="de"');
    expect(body.includes('nichts abgebucht')).toBe(isUncharged);
  });

  it('answers programs with a problem, and mistakes with an error', async () => {
    expect((await answerOf('GET', program)).json().errors[0]).toMatchObject({
      code: 'unavailable',
    });
    expect((await answerOf('GET', browser, false)).statusCode).toBe(500);
  });
});

const SECRET = 'sk_live_planted_secret_key';
const CARD = '4111111111111111';
const NAME = 'Ada Lovelace';

/** The lines that a site logs for requests which have planted values in every part. */
async function linesOf(options: Partial<SiteOptions> = {}, level = 'info'): Promise<string[]> {
  const lines: string[] = [];
  const logger = pino({ level, base: null }, { write: (line: string) => void lines.push(line) });
  const site = createSite(logger, { base_url: 'http://localhost:4000', ...options });
  site.get('/pay/:id', async (request, reply) => {
    request.sender = { merchant_id: 'a merchant', key_id: 'a key' };
    return reply.status(201).send('four');
  });
  site.get('/livez', async () => 'alive');
  const query = { email: 'ada@example.com', name: NAME, key: SECRET };
  const headers = { authorization: `Bearer ${SECRET}`, 'x-request-id': CARD, 'user-agent': NAME };
  await site.inject({ path: `/pay/${CARD}`, query, headers, remoteAddress: '192.0.2.77' });
  await site.inject({ path: `/unknown/${SECRET}`, query, headers });
  await site.inject({ path: '/livez' });
  return lines;
}

it('a request is one line with its route, result, sender and address', async () => {
  const [line = '', unknown = '', ...rest] = await linesOf();
  expect(JSON.parse(line)).toMatchObject({
    level: 30,
    msg: 'request',
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    method: 'GET',
    route: '/pay/:id',
    status: 201,
    ms: expect.any(Number),
    bytes: 4,
    address: '192.0.2.77',
    merchant_id: 'a merchant',
    key_id: 'a key',
  });
  expect(JSON.parse(unknown)).not.toHaveProperty('route');
  expect(rest).toEqual([]);
});

it('no line has a value that a client chose', async () => {
  const text = (await linesOf({}, 'trace')).join('');
  expect(text).toContain('/livez');
  for (const planted of [SECRET, CARD, NAME, 'ada@example.com'])
    expect(text).not.toContain(planted);
});

it('the address of a payer is shortened to its network', async () => {
  const [line = ''] = await linesOf({ audience: 'payers' });
  expect(JSON.parse(line)).toMatchObject({ address: '192.0.2.0/24' });
});

it('without the access log there are no lines', async () => {
  expect(await linesOf({ access_log: false })).toEqual([]);
});

it('only a trusted proxy continues a trace', async () => {
  const parents: (string | undefined)[] = [];
  const span: OpenSpan = { end() {}, within: (work) => work() };
  setTracer({
    startRequest(traceparent) {
      parents.push(traceparent);
      return span;
    },
    start: () => span,
    hasParent: () => false,
    headers: () => ({}),
  });
  const site = createSite(createLogger('silent'), {
    base_url: 'http://localhost:4000',
    trusted_proxies: ['10.0.0.0/8', 'fd00::7'],
  });
  setTracer(undefined);
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  for (const remoteAddress of ['10.1.2.3', '::ffff:10.1.2.3', 'fd00::7', '192.0.2.1', 'fd00::8'])
    await site.inject({ path: '/', headers: { traceparent }, remoteAddress });
  expect(parents).toEqual([traceparent, traceparent, traceparent, undefined, undefined]);
});
