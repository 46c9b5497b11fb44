import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { sendPlain } from './send-plain.ts';

async function withServer<T>(
  listener: RequestListener,
  runWith: (url: string) => Promise<T>,
): Promise<T> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await runWith(`http://127.0.0.1:${(server.address() as AddressInfo).port}/x`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const sendGet = (url: string) => sendPlain({ method: 'GET', url, headers: {}, timeout_ms: 2_000 });

test.each<[string, RequestListener, object]>([
  [
    'answers',
    (_, response) => void response.writeHead(404).end('{"error":"no"}'),
    { outcome: 'answered', status: 404, body: { error: 'no' } },
  ],
  ['hangs', () => {}, { outcome: 'lost', why: 'TimeoutError' }],
  ['hangs up', (_, response) => void response.destroy(), { outcome: 'lost' }],
  ['sends an unreadable answer', (_, response) => void response.end('<html>'), { outcome: 'lost' }],
  [
    'sends a too long answer',
    (_, response) => void response.end(`"${'x'.repeat(100_000)}"`),
    { outcome: 'lost' },
  ],
  [
    'redirects',
    (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end('{}'),
    { outcome: 'answered', status: 302 },
  ],
])('a processor that %s', async (_, listener, expected) => {
  expect(await withServer(listener, sendGet)).toMatchObject(expected);
});

test('nothing is sent to an absent processor', async () => {
  const closedUrl = await withServer(
    () => {},
    async (url) => url,
  );
  for (const url of [
    closedUrl,
    closedUrl.replace('127.0.0.1', 'localhost'),
    'http://nowhere.invalid/',
  ]) {
    expect(await sendGet(url)).toMatchObject({ outcome: 'not_sent' });
  }
});
