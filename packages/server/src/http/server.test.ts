import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { openServer } from './server.ts';

const answerOf = (port: number, path: string, agent: Agent): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent }, resolve).on('error', reject);
  });

it('a closing server finishes active requests, and closes idle connections', async () => {
  const door = await openServer({ host: '127.0.0.1', port: 0 });
  const reached = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const fastify = Fastify();
  fastify.get('/at-once', async () => 'done');
  fastify.get('/slow', async () => {
    reached.resolve();
    await go.promise;
    return 'done';
  });
  await door.serve([{ fastify, serves: () => true }]);
  using agents = new DisposableStack();
  const keepAlive = (): Agent =>
    agents.adopt(new Agent({ keepAlive: true }), (agent) => agent.destroy());
  const [idle, busy] = [keepAlive(), keepAlive()];

  const before = await answerOf(door.port, '/at-once', idle);
  expect([await text(before), before.headers.connection]).toEqual(['done', 'keep-alive']);
  const answer = answerOf(door.port, '/slow', busy);
  await reached.promise;
  const closed = door.close();
  go.resolve();
  const slow = await answer;
  expect([await text(slow), slow.headers.connection]).toEqual(['done', 'close']);
  await closed;
  await expect(answerOf(door.port, '/at-once', idle)).rejects.toThrow();
});
