import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, Callers } from '../store/callers.ts';
import { type Authenticator, keyHashOf, unauthorized } from './authenticate.ts';
import type { RateLimits } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; undefined where no good key was shown. */
    caller: Caller | undefined;
  }
}

export interface AdmissionOptions {
  readonly callers: Callers;
  readonly authenticator: Authenticator;
  readonly limits: RateLimits;
}

/** Finds out who asks, and whether they ask too often, before anything else of a request is looked at. */
export function registerAdmission(fastify: FastifyInstance, options: AdmissionOptions): void {
  fastify.decorateRequest('caller', undefined);
  fastify.addHook('onRequest', async (request, reply) => {
    request.caller = await admit(options, request, reply);
    if (request.caller) options.limits.countKey(reply, request.caller);
  });
}

/**
 * What may be a guess is counted before it costs a query, and forgiven if it was none. A key that was good
 * before is looked up whatever others do at its address, and one that is being looked up has been counted.
 */
async function admit(
  { callers, authenticator, limits }: AdmissionOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | undefined> {
  const keyHash = keyHashOf(request.headers.authorization);
  const isNew = keyHash === undefined || !(callers.seen(keyHash) || callers.isLookedUp(keyHash));
  if (isNew) limits.countStranger(reply, request.ip);
  const caller = keyHash === undefined ? undefined : await authenticator.byHash(keyHash);
  if (caller && isNew) limits.excuse(request.ip);
  if (!caller && !isNew) limits.countStranger(reply, request.ip);
  return caller;
}

/** Who asks. Throws 401 where the request has shown no good key. */
export function callerOf({ caller, headers }: FastifyRequest): Caller {
  if (caller) return caller;
  throw unauthorized(headers.authorization);
}
