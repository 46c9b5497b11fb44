import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimits } from '../../../http/rate-limit.ts';
import { NO_STORE } from '../../../jsonapi/answer.ts';
import type { Caller, Callers } from '../../../platform/caller.ts';
import {
  type Authenticator,
  type KeyEnd,
  keyHashOf,
  unauthorized,
} from '../../merchants/authenticate.ts';
import { refuseBanned } from '../../merchants/standing.ts';
import type { Member } from '../sql/members.ts';
import type { FindMember } from './member-admission.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that asks, or the person who has signed in; undefined where neither was shown. */
    caller: Caller | Member | undefined;
    /** How the key that was shown came to its end, where it works no more. */
    key_end: KeyEnd | undefined;
  }
}

export interface AdmissionOptions {
  readonly callers: Callers;
  readonly authenticator: Authenticator;
  readonly limits: RateLimits;
  /** The person of a session; asked where a request shows no key. */
  readonly findMember: FindMember;
}

/** Finds out who asks, and whether they ask too often, before anything else of a request is looked at. */
export function registerAdmission(fastify: FastifyInstance, options: AdmissionOptions): void {
  fastify.decorateRequest('caller', undefined);
  fastify.decorateRequest('key_end', undefined);
  fastify.addHook('onRequest', async (request, reply) => {
    const member = await memberOf(options, request, reply);
    // A browser keeps what it is sent, also for whoever sits there after a person has signed out.
    if (member) reply.header('cache-control', NO_STORE);
    request.caller = member ?? (await admit(options, request, reply));
    if (!request.caller) request.key_end = await endOf(options, request);
    if (request.caller) options.limits.countKey(reply, quotaOf(request.caller));
  });
}

/** Asked of who may come in not: what was looked up for that is still remembered. */
const endOf = async (
  { authenticator }: AdmissionOptions,
  { headers }: FastifyRequest,
): Promise<KeyEnd | undefined> => {
  const keyHash = keyHashOf(headers.authorization);
  return keyHash === undefined ? undefined : authenticator.endOf(keyHash);
};

/** A request that shows a key is the key's, whatever cookie comes with it. */
const memberOf = async (
  { findMember }: AdmissionOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Member | undefined> =>
  request.headers.authorization === undefined ? findMember(request, reply) : undefined;

/** Whose requests are counted: a key's, or a session's. */
const quotaOf = (caller: Caller | Member): Pick<Caller, 'token_id' | 'scope'> => ({
  scope: caller.scope,
  token_id: 'token_id' in caller ? caller.token_id : caller.person.session.id,
});

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

/**
 * Who asks. Throws 401 where the request has shown no good key and no session, and 403 where a banned merchant asks for
 * more than it may look at.
 */
export function callerOf(request: FastifyRequest): Caller | Member {
  const { caller, key_end, headers, method, routeOptions } = request;
  if (!caller) throw unauthorized(headers.authorization, key_end);
  const [, , type = ''] = routeOptions.url?.split('/') ?? [];
  refuseBanned(caller, { isRead: method === 'GET' || method === 'HEAD', type });
  return caller;
}
