import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { createClient } from './client.ts';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** A server whose pages all link to the same next page, with a record of its requests. */
async function startServer(
  next: string,
): Promise<{ readonly origin: string; readonly requestedPaths: string[] }> {
  const requestedPaths: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    requestedPaths.push(url);
    response.end(JSON.stringify({ data: [], links: { next } }));
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requestedPaths };
}

it.each(['', '/'])(
  'the key is sent to the given origin only, wherever links lead',
  async (slash) => {
    const otherServer = await startServer('');
    const florin = await startServer(`${otherServer.origin}${slash}/v2/events?page[after]=x`);
    const api = createClient({ base_url: florin.origin, key: 'ept_sandbox_s' });
    const { links } = await api.list('/v2/events');
    await api.list(links.next as string);
    expect(florin.requestedPaths).toEqual([
      '/v2/events',
      expect.stringMatching(`^${slash}/v2/events\\?page`),
    ]);
    expect(otherServer.requestedPaths).toEqual([]);
  },
);
