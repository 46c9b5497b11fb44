import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { fetchPlain } from './fetch-plain.ts';

let close: () => void = () => {};
afterEach(() => close());

async function serve(handler: RequestListener): Promise<URL> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/x`);
}

it('returns what is served, unchanged', async () => {
  const url = await serve((_request, response) => response.writeHead(404).end('there is none'));
  const { status, body } = await fetchPlain(url);
  expect([status, body.toString()]).toEqual([404, 'there is none']);
});

it.each<[string, RequestListener, RegExp, timeout_ms?: number]>([
  ['nothing comes', () => {}, /no complete answer within 500 ms/, 500],
  [
    'a body stops',
    (_, response) => response.writeHead(200).write('x'),
    /no complete answer within 500 ms/,
    500,
  ],
  [
    'a body is cut off',
    (_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('x');
      setImmediate(() => response.destroy());
    },
    /aborted/,
  ],
  [
    'it is too large',
    (_, response) => response.end(Buffer.alloc(5 * 1024 ** 2)),
    /it is too large/,
  ],
  ['a connection is reset', (request) => request.socket.destroy(), /socket hang up/],
])('names the reason if %s', async (_what, handler, message, timeout_ms) => {
  await expect(fetchPlain(await serve(handler), timeout_ms)).rejects.toThrow(message);
});
