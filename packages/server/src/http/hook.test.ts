import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createHook, createSyncHook } from './hook.ts';

type Run = Parameters<typeof createHook>[0];

async function answerWith(hook: ReturnType<typeof createHook>): Promise<string> {
  const fastify = Fastify();
  fastify.addHook('onRequest', hook);
  fastify.setErrorHandler((error, _request, reply) => reply.send((error as Error).message));
  fastify.get('/', (request) => `after ${request.id}`);
  const { body } = await fastify.inject('/');
  return body;
}

const renamed: Run = (request) => {
  request.id = 'the hook';
  return undefined;
};

test.each<[string, Run, string]>([
  ['at once', renamed, 'after the hook'],
  [
    'when its promise is fulfilled',
    (...at) => Promise.resolve().then(() => renamed(...at)),
    'after the hook',
  ],
  ['with its rejection', () => Promise.reject(new Error('rejected')), 'rejected'],
])('a hook ends %s', async (_name, run, expected) => {
  expect(await answerWith(createHook(run))).toBe(expected);
});

test('an error of a hook is answered', async () => {
  const refuse = createSyncHook(() => {
    throw new Error('refused');
  });
  expect(await answerWith(refuse)).toBe('refused');
});
