import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ClientLimits } from './limits.ts';
import { openTestRouter, type RouterOptions, type TestRouter } from './testing/open-router.ts';

/** More than the buffers of two sockets and of a router. */
const LARGE = Buffer.alloc(64 * 1_024 ** 2);
const cleanup = new AsyncDisposableStack();
const received: IncomingHttpHeaders[] = [];
let release: () => void = () => {};
const cell = createServer(async (request, response) => {
  received.push(request.headers);
  if (request.url === '/refuses') return response.writeHead(401).end();
  if (request.url === '/waits') await new Promise<void>((resolve) => (release = resolve));
  await text(request).catch(() => '');
  response.end(request.url === '/large' ? LARGE : 'small');
});

// As a server of Florin: idle connections must not end during a test.
cell.keepAliveTimeout = 65_000;

beforeAll(async () => {
  await once(cell.listen(0, '127.0.0.1'), 'listening');
  cleanup.defer(() => void cell.close().closeAllConnections());
});
afterAll(() => cleanup.disposeAsync());

const openRouter = (limits: Partial<ClientLimits>, options: RouterOptions = {}) =>
  openTestRouter({ home: cell }, cleanup, { limits, ...options });

function open({ server }: TestRouter, head: string): Socket {
  const socket = connect(server.port, '127.0.0.1').on('error', () => {});
  cleanup.defer(() => void socket.destroy());
  socket.write(head);
  return socket;
}

const get = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nhost: a\r\n${headers}\r\n`;
const UPLOAD = 'POST /upload HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nhalf';

/** Sends a request whose answer the client does not read. */
async function openReader(router: TestRouter): Promise<Socket> {
  const socket = open(router, get('/large'));
  await once(socket, 'readable');
  return socket;
}

async function openSender(router: TestRouter): Promise<Socket> {
  const before = received.length;
  const socket = open(router, UPLOAD);
  while (received.length === before) await new Promise(setImmediate);
  return socket;
}

/** Reads what arrives until the connection ends. */
const untilEnd = (socket: Socket): Promise<number> =>
  new Promise((resolve) => {
    let length = 0;
    if (socket.closed) resolve(length);
    socket
      .on('data', (chunk) => {
        length += chunk.length;
      })
      .once('close', () => resolve(length));
  });

async function refusalsOf({ register }: TestRouter, reason: string): Promise<number> {
  const { values } = (await register.getSingleMetric('florin_router_refused_total')?.get()) ?? {};
  return values?.find(({ labels }) => labels.reason === reason)?.value ?? 0;
}

const fetchStatus = async ({ server }: TestRouter, headers = {}): Promise<number> =>
  (await fetch(`http://127.0.0.1:${server.port}/small`, { headers })).status;

it.each([
  ['readers', openReader],
  ['senders', openSender],
])(
  'ends the slowest of the %s that hold connections to a cell beyond the limit',
  async (_, start) => {
    const router = await openRouter({ slow_max: 2, slow_ms: 0 });
    const oldest = await start(router);
    const second = await start(router);
    const third = await start(router);
    expect(await untilEnd(oldest)).toBeLessThan(LARGE.length);
    expect(await refusalsOf(router, 'slow')).toBe(1);
    expect([second.destroyed, third.destroyed]).toEqual([false, false]);
    expect(await fetchStatus(router)).toBe(200);
  },
);

it('ends an answer that its client does not take', async () => {
  const router = await openRouter({ stall_ms: 200 });
  const socket = await openReader(router);
  while ((await refusalsOf(router, 'slow')) === 0) await sleep(20);
  expect(await untilEnd(socket)).toBeLessThan(LARGE.length);
});

it('ends an answer whose client takes a little at a time', async () => {
  const router = await openRouter({ delivery_ms: 500 });
  const socket = await openReader(router);
  while ((await refusalsOf(router, 'slow')) === 0) {
    socket.read(1_024);
    await sleep(20);
  }
  expect(await untilEnd(socket)).toBeLessThan(LARGE.length);
});

it('gives a client that reads the whole of a large answer', async () => {
  const router = await openRouter({ stall_ms: 2_000 });
  const socket = open(router, get('/large', 'connection: close\r\n'));
  expect(await untilEnd(socket)).toBeGreaterThan(LARGE.length);
  expect(await refusalsOf(router, 'slow')).toBe(0);
});

it('ends a request that its cell answers before the body, and keeps the connection of the client', async () => {
  const router = await openRouter({});
  const staying = open(router, UPLOAD.replace('/upload', '/refuses'));
  await once(staying, 'readable');
  expect(String(staying.read())).toContain('401');
  await expect.poll(() => router.connectionsOf({ name: 'home' }).in_use).toBe(0);
  const leaving = open(router, UPLOAD.replace('/upload', '/refuses'));
  await once(leaving, 'readable');
  leaving.destroy();
  await expect.poll(() => router.connectionsOf({ name: 'home' }).in_use).toBe(0);
  staying.write(`  body${get('/small', 'connection: close\r\n')}`);
  expect(await text(staying)).toContain('small');
});

it('refuses requests of an address that has too many in progress, and none of others', async () => {
  const limits = { requests_per_address_max: 1 };
  const router = await openRouter(limits, { trusted_proxies: ['127.0.0.1'] });
  const as = (ip: string) => ({ 'x-forwarded-for': ip });
  const before = received.length;
  const waiting = open(router, get('/waits', 'x-forwarded-for: 192.0.2.1\r\n'));
  while (received.length === before) await new Promise(setImmediate);
  expect(await fetchStatus(router, as('192.0.2.1'))).toBe(429);
  expect(await fetchStatus(router, as('192.0.2.2'))).toBe(200);
  release();
  await once(waiting, 'readable');
  expect(await fetchStatus(router, as('192.0.2.1'))).toBe(200);
  expect(await refusalsOf(router, 'address')).toBe(1);
});

it('closes connections beyond the limit of all clients', async () => {
  const router = await openRouter({ clients_max: 1 });
  const first = open(router, get('/small'));
  await once(first, 'readable');
  expect(await untilEnd(open(router, get('/small')))).toBe(0);
  expect(await refusalsOf(router, 'connections')).toBe(1);
  expect(await router.server.countClients()).toBe(1);
});

it.each([
  ['passes on', ['127.0.0.1'], '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
  ['drops', ['192.0.2.9'], undefined],
])('%s the trace of a client that is %j', async (_, trusted_proxies, expected) => {
  const router = await openRouter({}, { trusted_proxies });
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  await fetchStatus(router, { traceparent, tracestate: 'a=1' });
  const { traceparent: seen, tracestate } = received.at(-1) ?? {};
  expect([seen, tracestate]).toEqual([expected, expected && 'a=1']);
});
