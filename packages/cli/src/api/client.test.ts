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
async function serverOf(
  next: string,
): Promise<{ readonly origin: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.end(JSON.stringify({ data: [], links: { next } }));
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

it.each(['', '/'])(
  'the key is sent to the given origin only, wherever links lead',
  async (slash) => {
    const other = await serverOf('');
    const florin = await serverOf(`${other.origin}${slash}/v2/events?page[after]=x`);
    const api = createClient({ base_url: florin.origin, key: 'ept_sandbox_s' });
    const { links } = await api.list('/v2/events');
    await api.list(links.next as string);
    expect(florin.asked).toEqual([
      '/v2/events',
      expect.stringMatching(`^${slash}/v2/events\\?page`),
    ]);
    expect(other.asked).toEqual([]);
  },
);
