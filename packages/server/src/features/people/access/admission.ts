import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimits } from '../../../http/rate-limit.ts';
import type { RequestSender } from '../../../http/request-log.ts';
import { NO_STORE } from '../../../jsonapi/answer.ts';
import type { Caller, Callers } from '../../../platform/caller.ts';
import type { CellDirectory } from '../../../services.ts';
import {
  type Authenticator,
  type KeyEnd,
  keyHashOf,
  unauthorizedProblem,
} from '../../merchants/authenticate.ts';
import { refuseBanned } from '../../merchants/status-checks.ts';
import type { Member } from '../sql/members.ts';
import type { FindMember } from './member-admission.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Caller by key, or the signed-in person; undefined without both. */
    caller: Caller | Member | undefined;
    /** Reason why the request's key no longer works. */
    key_end: KeyEnd | undefined;
    /** Name of the other cell that has the request's key. */
    key_cell: string | undefined;
  }
}

export interface AdmissionOptions {
  readonly callers: Callers;
  readonly authenticator: Authenticator;
  readonly limits: RateLimits;
  /** Finds the person of a session, for requests without a key. */
  readonly findMember: FindMember;
  /** Absent without cells. */
  readonly directory?: Pick<CellDirectory, 'otherCellOfKey'> | undefined;
}

/** Identifies the caller and applies rate limits before any other part of the request is read. */
export function registerAdmission(fastify: FastifyInstance, options: AdmissionOptions): void {
  fastify.decorateRequest('caller', undefined);
  fastify.decorateRequest('key_end', undefined);
  fastify.decorateRequest('key_cell', undefined);
  fastify.addHook('onRequest', async (request, reply) => {
    // A key takes precedence over a session cookie.
    const hasKey = request.headers.authorization !== undefined;
    const member = hasKey ? undefined : await options.findMember(request, reply);
    // The browser could otherwise show cached responses to the next person after a sign-out.
    if (member) reply.header('cache-control', NO_STORE);
    request.caller = member ?? (await admitMember(options, request, reply));
    if (!request.caller) return noteKey(options, request);
    request.sender = senderOf(request.caller);
    options.limits.countKey(reply, quotaOf(request.caller));
  });
}

/** Finds out why a key is refused: when it ended, or which cell has it. The lookups are cached. */
async function noteKey(
  { authenticator, directory }: AdmissionOptions,
  request: FastifyRequest,
): Promise<void> {
  const keyHash = keyHashOf(request.headers.authorization);
  if (keyHash === undefined) return;
  request.key_end = await authenticator.endOf(keyHash);
  if (!request.key_end) request.key_cell = await directory?.otherCellOfKey(keyHash);
}

/** Subject of the rate limit: the key or the session. */
const quotaOf = (caller: Caller | Member): Pick<Caller, 'token_id' | 'scope'> => ({
  scope: caller.scope,
  token_id: 'token_id' in caller ? caller.token_id : caller.person.session.id,
});

const senderOf = (caller: Caller | Member): RequestSender => ({
  ...caller.scope,
  ...('token_id' in caller
    ? { key_id: caller.token_id }
    : { account_id: caller.person.account.id }),
});

/**
 * Counts an unknown key as a guess before the query, and removes the count if the key is valid.
 * Keys that this process has seen as valid are looked up even beyond the address's limit.
 */
async function admitMember(
  { callers, authenticator, limits }: AdmissionOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | undefined> {
  const keyHash = keyHashOf(request.headers.authorization);
  const isNew =
    keyHash === undefined || !(callers.wasFound(keyHash) || callers.isLookedUp(keyHash));
  if (isNew) limits.countAnonymous(reply, request.ip);
  const caller = keyHash === undefined ? undefined : await authenticator.byHash(keyHash);
  if (caller && isNew) limits.exempt(request.ip);
  if (!caller && !isNew) limits.countAnonymous(reply, request.ip);
  return caller;
}

/**
 * Caller of a request. Throws 401 without a valid key or session, and 403 for requests that a
 * banned merchant may not make.
 */
export function callerOf(request: FastifyRequest): Caller | Member {
  const { caller, key_end, key_cell, headers, method, routeOptions } = request;
  if (!caller) throw unauthorizedProblem(headers.authorization, key_end, key_cell);
  const [, , type = ''] = routeOptions.url?.split('/') ?? [];
  refuseBanned(caller, { isRead: method === 'GET' || method === 'HEAD', type });
  return caller;
}
