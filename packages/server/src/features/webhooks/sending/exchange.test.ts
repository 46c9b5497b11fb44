import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { Agent } from 'undici';
import { expect, it } from 'vitest';
import { exchange } from './exchange.ts';

const POST = { path: '/hook?a=1', headers: {}, body: 'text' };

/** A server that counts its requests. */
async function startServer() {
  const paths: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    paths.push(url);
    response.end('ok');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    paths,
    [Symbol.dispose]: () => void server.close().closeAllConnections(),
  };
}

it('a message whose connection comes after its time fails in time, and is never sent', async () => {
  using server = await startServer();
  const origin = `http://receiver.example:${server.port}`;
  const resolved = Promise.withResolvers<void>();
  const lookup: LookupFunction = async (_host, _options, callback) => {
    await resolved.promise;
    callback(null, [{ address: '127.0.0.1', family: 4 }]);
  };
  await using receiverAgent = agentWith(lookup);
  const refused = exchange(receiverAgent.agent, { ...POST, origin }, performance.now() + 20);
  await expect(refused).rejects.toMatchObject({ name: 'TimeoutError' });
  const next = exchange(
    receiverAgent.agent,
    { ...POST, path: '/next', origin },
    performance.now() + 60_000,
  );
  resolved.resolve();
  expect((await next).body.toString()).toBe('ok');
  expect(server.paths).toEqual(['/next']);
});

function agentWith(lookup: LookupFunction) {
  const agent = new Agent({ connect: { lookup }, connections: 1 });
  return { agent, [Symbol.asyncDispose]: () => agent.destroy() };
}
