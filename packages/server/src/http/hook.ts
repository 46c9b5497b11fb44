import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * A hook that waits only if `run` returns a promise. An `async` function would cost every request another turn. Errors
 * are answered like those of a handler.
 */
export const createHook =
  (run: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> | undefined) =>
  (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const work = run(request, reply);
    if (work) work.then(() => done(), done);
    else done();
  };

/** A hook that never waits. */
export const createSyncHook = (run: (request: FastifyRequest, reply: FastifyReply) => void) =>
  createHook((request, reply) => {
    run(request, reply);
    return undefined;
  });
