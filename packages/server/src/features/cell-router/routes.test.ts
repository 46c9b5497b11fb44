import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HttpServer } from '../../http/server.ts';
import { openTestRouter } from './testing/open-router.ts';

interface Received {
  readonly cell: string;
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answer = (request: IncomingMessage) => { status: number; headers?: string[]; body?: string };

const ACCOUNT = '01935f00-0000-7000-8000-000000000001';
const cleanup = new AsyncDisposableStack();
const received: Received[] = [];
const cells: Record<'one' | 'two', { server: Server; answer: Answer }> = {
  one: { server: createServer(), answer: () => ({ status: 200 }) },
  two: { server: createServer(), answer: () => ({ status: 200 }) },
};
let router: HttpServer;

beforeAll(async () => {
  for (const [name, cell] of Object.entries(cells)) {
    cell.server.on('request', async (request, response) => {
      const body = await text(request);
      received.push({
        cell: name,
        line: `${request.method} ${request.url}`,
        headers: request.headers,
        body,
      });
      const { status, headers = [], body: answer = name } = cell.answer(request);
      response.writeHead(status, headers).end(answer);
    });
    cell.server.listen(0, '127.0.0.1');
    await once(cell.server, 'listening');
    cleanup.defer(() => void cell.server.close().closeAllConnections());
  }
  const servers = { one: cells.one.server, two: cells.two.server };
  ({ server: router } = await openTestRouter(servers, cleanup));
});
afterAll(() => cleanup.disposeAsync());

async function send(
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
) {
  received.length = 0;
  const sent = httpRequest({
    host: '127.0.0.1',
    port: router.port,
    method,
    path,
    headers,
    agent: false,
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
}

it('passes path, body and headers on as they are, and adds the address of the client', async () => {
  cells.one.answer = () => ({ status: 207, headers: ['set-cookie', 'a=1', 'set-cookie', 'b=2'] });
  const {
    status,
    headers,
    text: answer,
  } = await send('PUT', '/v2/a%2Fb?c=%20', {
    headers: {
      host: 'pay.localhost',
      'x-forwarded-for': '203.0.113.9',
      'x-private': 'hop',
      connection: 'close, x-private, content-length',
      'content-type': 'no media type',
      'content-length': '2',
    },
    body: '{}',
  });
  expect([status, headers['set-cookie'], answer]).toEqual([207, ['a=1', 'b=2'], 'one']);
  expect(received).toEqual([
    {
      cell: 'one',
      line: 'PUT /v2/a%2Fb?c=%20',
      headers: expect.objectContaining({
        host: 'pay.localhost',
        'x-forwarded-for': '203.0.113.9, 127.0.0.1',
        'content-length': '2',
      }),
      body: '{}',
    },
  ]);
  expect(received[0]?.headers).not.toHaveProperty('x-private');
});

it('frames a body without a length, so that the cell reads no further request from it', async () => {
  cells.one.answer = () => ({ status: 200 });
  const body = 'GET /smuggled HTTP/1.1\r\nhost: one\r\n\r\n';
  await send('DELETE', '/v2/customers/1', { headers: { 'transfer-encoding': 'chunked' }, body });
  expect(received.map(({ line, body: own }) => [line, own])).toEqual([
    ['DELETE /v2/customers/1', body],
  ]);
});

it.each(['HEAD', 'GET'])('answers %s without a body for 304', async (method) => {
  cells.one.answer = () => ({ status: 304, headers: ['etag', '"1"'], body: '' });
  const answer = await send(method, '/dashboard');
  expect([answer.status, answer.headers.etag, answer.text]).toEqual([304, '"1"', '']);
});

it('sends a notification on until a cell knows the account, then to that cell alone', async () => {
  cells.one.answer = () => ({ status: 404 });
  cells.two.answer = () => ({ status: 200 });
  const notify = async () => {
    const { status } = await send('POST', `/notifications/${ACCOUNT}`, { body: 'signed' });
    return [status, ...received.map(({ cell, body }) => `${cell} ${body}`)];
  };
  expect(await notify()).toEqual([200, 'one signed', 'two signed']);
  expect(await notify()).toEqual([200, 'two signed']);
  const other = `/notifications/${ACCOUNT.replace(/1$/, '2')}`;
  cells.two.answer = () => ({ status: 503 });
  expect((await send('POST', other, { body: 'signed' })).status).toBe(503);
  cells.two.answer = () => ({ status: 404 });
  expect((await send('POST', other, { body: 'signed' })).status).toBe(404);
});

it('remembers no cell that refused a notification before it looked the account up', async () => {
  const path = `/notifications/${ACCOUNT.replace(/1$/, '3')}`;
  cells.one.answer = () => ({ status: 415 });
  cells.two.answer = () => ({ status: 404 });
  expect((await send('POST', path, { body: 'forged' })).status).toBe(415);
  cells.one.answer = () => ({ status: 404 });
  cells.two.answer = () => ({ status: 200 });
  expect((await send('POST', path, { body: 'signed' })).status).toBe(200);
  // An account that has moved is found again.
  cells.one.answer = () => ({ status: 200 });
  cells.two.answer = () => ({ status: 404 });
  expect((await send('POST', path, { body: 'signed' })).text).toBe('one');
  cells.one.answer = () => ({ status: 401 });
  expect((await send('POST', path, { body: 'forged' })).status).toBe(401);
});

it('sends a read with a body to no second cell, since the body is gone', async () => {
  cells.one.answer = (request) => {
    request.socket.destroy();
    return { status: 200 };
  };
  cells.two.answer = () => ({ status: 200 });
  let reached = false;
  const note = () => {
    reached = true;
  };
  cells.two.server.on('request', note);
  const headers = { 'content-length': '2' };
  const answer = await send('GET', '/dashboard', { headers, body: '{}' });
  cells.two.server.off('request', note);
  expect([answer.status, reached]).toEqual([503, false]);
  cells.one.answer = () => ({ status: 200 });
});

it('says that a write without a body has none', async () => {
  received.length = 0;
  const socket = connect(router.port, '127.0.0.1');
  socket.write(
    'PATCH /v2/payment_demands/1/cancel HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
  );
  await text(socket);
  expect(received.map(({ headers }) => headers)).toEqual([
    expect.objectContaining({ 'content-length': '0' }),
  ]);
});

it('keeps the pages of operators at the first cell', async () => {
  cells.one.answer = () => ({ status: 503 });
  cells.two.answer = () => ({ status: 200, headers: ['Florin-Cell', 'one'] });
  const path = '/dashboard/api/operator/routing/live';
  for (const method of ['GET', 'PUT']) expect((await send(method, path)).status).toBe(503);
  const named = await send('GET', path, { headers: { 'florin-cell': 'two' } });
  expect([named.text, named.headers['florin-cell']]).toEqual(['two', 'two']);
  cells.one.answer = () => ({ status: 200 });
});

it('reads pages from the next cell while the first one is down, and repeats no write', async () => {
  cells.one.answer = (request) => {
    request.socket.destroy();
    return { status: 200 };
  };
  cells.two.answer = () => ({ status: 200 });
  expect((await send('GET', '/dashboard')).text).toBe('two');
  const write = await send('POST', '/dashboard/api/sessions/end_others');
  expect([write.status, write.headers['retry-after']]).toEqual([503, '1']);
  expect(received.map(({ cell }) => cell)).toEqual(['one']);
  expect((await send('POST', '/a', { headers: { 'florin-cell': 'two' } })).text).toBe('two');
  expect((await send('POST', '/a', { headers: { 'florin-cell': 'none' } })).status).toBe(404);
});
