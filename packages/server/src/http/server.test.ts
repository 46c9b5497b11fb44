import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { request } from 'undici';
import { expect, it } from 'vitest';
import { type HttpServer, openServer } from './server.ts';

const sendRequest = (port: number, path: string, agent: Agent): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent }, resolve).on('error', reject);
  });

it('a closing server finishes active requests, and closes idle connections', async () => {
  const server = await openServer({ host: '127.0.0.1', port: 0 });
  const reachedRoute = Promise.withResolvers<void>();
  const releaseRoute = Promise.withResolvers<void>();
  const fastify = Fastify();
  fastify.get('/at-once', async () => 'done');
  fastify.get('/slow', async () => {
    reachedRoute.resolve();
    await releaseRoute.promise;
    return 'done';
  });
  await server.serve([{ fastify, serves: () => true }], 'http://localhost:4000');
  using agents = new DisposableStack();
  const createAgent = (): Agent =>
    agents.adopt(new Agent({ keepAlive: true }), (agent) => agent.destroy());
  const [idleAgent, busyAgent] = [createAgent(), createAgent()];

  const firstResponse = await sendRequest(server.port, '/at-once', idleAgent);
  expect([await text(firstResponse), firstResponse.headers.connection]).toEqual([
    'done',
    'keep-alive',
  ]);
  const pendingResponse = sendRequest(server.port, '/slow', busyAgent);
  await reachedRoute.promise;
  const closePromise = server.close();
  releaseRoute.resolve();
  const slowResponse = await pendingResponse;
  expect([await text(slowResponse), slowResponse.headers.connection]).toEqual(['done', 'close']);
  await closePromise;
  await expect(sendRequest(server.port, '/at-once', idleAgent)).rejects.toThrow();
});

it('a server that does not serve its sites yet answers people with a page, and programs with nothing', async () => {
  await using server = closing(await openServer({ host: '127.0.0.1', port: 0 }));
  const at = `http://127.0.0.1:${server.port}/pay/1?locale=fr`;
  // `fetch` of Node names itself as a program in `sec-fetch-mode`.
  const page = await request(at, { headers: { accept: 'text/html' } });
  expect([page.statusCode, page.headers['retry-after']]).toEqual([503, '1']);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(await page.body.text()).toContain('Rien n’a été débité');
  const data = await fetch(at);
  expect([data.status, data.headers.get('retry-after'), await data.text()]).toEqual([503, '1', '']);
});

const closing = (server: HttpServer): HttpServer & AsyncDisposable =>
  Object.assign(server, { [Symbol.asyncDispose]: () => server.close() });
