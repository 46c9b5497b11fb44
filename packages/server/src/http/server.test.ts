import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { openServer } from './server.ts';

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
