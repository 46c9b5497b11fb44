import { type DatabaseFault, databaseFaultOf } from '@florin/contract/database/fault.ts';
import { type ProblemError, problem } from '@florin/contract/errors.ts';
import Fastify, {
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import { SAFE_HEADERS, sendProblem } from '../jsonapi/answer.ts';
import { asProblemError } from '../jsonapi/problems.ts';
import { BODY_BYTES_MAX } from '../jsonapi/request.ts';
import { isPassingError } from '../platform/concurrency/batcher.ts';
import { type ExceededLimit, OverloadedError } from '../platform/concurrency/overloaded.ts';
import { isRefusedByFence } from '../platform/database/installation/stopped.ts';
import type { Logger } from '../platform/logger.ts';
import { VaultUnavailable } from '../processors/wire/relay.ts';
import { createSyncHook } from './hook.ts';
import { renderUnavailablePage, wantsPage } from './pages/unavailable-page.ts';
import {
  type AccessFacts,
  type Audience,
  registerRequestLog,
  registerRequestSpans,
  requestId,
} from './request-log.ts';
import { sendPage } from './send-page.ts';

const PARAMETER_LENGTH_MAX = 200;

export interface SiteOptions {
  /** Public origin of the API, for the links of errors. */
  readonly base_url: string;
  readonly rewriteUrl?: (url: string) => string;
  /** Maps known errors to problems. Default: `knownError`, for sites of payers. */
  readonly translate?: (error: unknown) => unknown;
  /** Addresses and networks of reverse proxies whose `X-Forwarded-For` is trusted. */
  readonly trusted_proxies?: readonly string[];
  /** Whether each request is logged; default true. */
  readonly access_log?: boolean;
  /** Takes the lines of requests; default: the site's logger. */
  readonly access_logger?: Logger;
  /** Whether people's browsers get a page for a temporary condition; default false: a problem. */
  readonly hasOutagePage?: boolean;
  /** Audience that decides how much of an address the access log has; default `clients`. */
  readonly audience?: Audience;
  /** Further fields of a line of the access log. */
  readonly access_facts?: AccessFacts;
}

/** One origin: a Fastify instance with the common limits, request log and error responses. */
export function createSite(
  logger: Logger,
  {
    base_url,
    rewriteUrl,
    translate = knownError,
    trusted_proxies = [],
    access_logger = logger,
    hasOutagePage = false,
    ...accessLog
  }: SiteOptions,
): FastifyInstance {
  const options: FastifyServerOptions = {
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    genReqId: (request) => requestId(request.headers),
    trustProxy: trusted_proxies.length > 0 ? [...trusted_proxies] : false,
    ...(rewriteUrl && { rewriteUrl: (request) => rewriteUrl(request.url ?? '/') }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PARAMETER_LENGTH_MAX },
    frameworkErrors: (error, request, reply) =>
      sendProblem(reply.headers({ 'x-request-id': request.id, ...SAFE_HEADERS }), error, base_url),
  };
  const fastify = Fastify(options);
  registerRequestSpans(fastify, trusted_proxies);
  registerRequestLog(fastify, access_logger, accessLog);
  fastify.addHook(
    'onRequest',
    createSyncHook((_request, reply) => void reply.headers(SAFE_HEADERS)),
  );
  fastify.setNotFoundHandler((_request, reply) =>
    sendProblem(
      reply,
      problem('not_found', 'No resource has this address. Check the path.'),
      base_url,
    ),
  );
  fastify.setErrorHandler((error, request, reply) => {
    const problemError = asProblemError(translate(error));
    if (problemError.problems.some(({ code }) => code === 'internal'))
      report(logger, error, request);
    if (hasOutagePage && isTemporary(problemError) && wantsPage(request))
      return sendPage(reply, renderUnavailablePage(request, OUTAGE_RETRY_S, isRead(request)));
    return sendProblem(reply, problemError, base_url);
  });
  return fastify;
}

/** Seconds until a person should load a page again. */
const OUTAGE_RETRY_S = 10;

/** Whether a request charged nothing for sure: a commit of another one may have come before its error. */
const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

const isTemporary = ({ problems }: ProblemError): boolean =>
  problems.some(({ code }) => code === 'unavailable' || code === 'overloaded');

/** Like `knownError`, for the API: an exceeded limit is named, with the load of the merchant. */
export function knownApiError(error: unknown): unknown {
  if (!(error instanceof OverloadedError)) return knownError(error);
  const { exceeded } = error;
  const options = { ...retryOptionsOf(error), meta: { ...exceeded } };
  return problem('overloaded', detailOfLimit(exceeded), undefined, options);
}

/**
 * Maps temporary conditions to 503 with `Retry-After`; returns other errors unchanged. Payers may read the result, so it
 * tells nothing of a merchant's load.
 */
export function knownError(error: unknown): unknown {
  const retryOptions = retryOptionsOf(error);
  if (error instanceof OverloadedError)
    return problem('overloaded', TOO_MANY_WAIT, undefined, retryOptions);
  if (error instanceof VaultUnavailable) {
    return problem(
      'unavailable',
      'The vault does not answer. Try again in a moment.',
      undefined,
      retryOptions,
    );
  }
  if (isRefusedByFence(error))
    return problem('unavailable', MERCHANT_MOVES, undefined, retryOptions);
  if (isPassingError(error)) {
    const fault = databaseFaultOf(error);
    return problem('unavailable', fault ? detailByFault[fault] : TOO_BUSY, undefined, retryOptions);
  }
  return error;
}

const retryOptionsOf = (cause: unknown) => ({ headers: { 'retry-after': '1' }, cause });

const TOO_MANY_WAIT = 'Too many requests are waiting. Try again in a moment.';

/** Detail of a 503 response for an exceeded limit: the limit, its owner's part, and the next step. */
function detailOfLimit({ limit, max, of_owner }: ExceededLimit): string {
  if (limit === 'wait_ms')
    return `The request waited ${max} ms, and nothing was done. Try again in a moment.`;
  if (limit === 'files') return `At most ${max} files may be in memory. Try again in a moment.`;
  if (limit === 'files_per_owner')
    return `At most ${max} files of one merchant may be in memory. Try again in a moment.`;
  const limitText = `At most ${max} such requests may wait`;
  if (limit === 'waiting_per_owner')
    return `${limitText} for one merchant. Send fewer at once, and try again in a moment.`;
  if (of_owner === undefined) return `${limitText} at this server. Try again in a moment.`;
  return `${limitText} at this server, and this merchant has the most: ${of_owner}. Send fewer at once, and try again in a moment.`;
}

const MERCHANT_MOVES =
  'A merchant of this request moves to another cell, which takes seconds. Try again in a moment, with the same idempotency key.';

/** For a statement timeout, repeated conflicts, or a database without memory. */
const TOO_BUSY = 'The database is too busy. Try again in a moment.';

/** Detail of a 503 response for each database fault: the cause and the next step. */
const detailByFault: Readonly<Record<DatabaseFault, string>> = {
  silent: 'The database does not answer. Try again in a moment.',
  pool_exhausted:
    "All of this server's connections to the database are in use. Try again in a moment.",
  connections_exhausted:
    'The database accepts no more connections. Operators: raise `max_connections`, or run fewer processes.',
  certificate_not_valid:
    'The certificate of the database is not valid. Operators: renew it, or correct `DATABASE_URL`.',
  tls_not_supported:
    'The database does not support TLS. Operators: turn on `ssl` there, or correct `sslmode` in `DATABASE_URL`.',
  login_refused:
    'The database refuses the login of this server. Operators: correct `DATABASE_URL`.',
  unreachable: 'The database cannot be reached. Try again in a moment.',
  starting: 'The database is starting. Try again in a moment.',
  read_only: 'The database accepts no writes now. Try again in a moment.',
  disk_full: 'The disk of the database is full. Operators: free some space.',
  connection_broken: 'The connection to the database broke. Try again in a moment.',
};

/**
 * Logs the cause of a 500, without the request's contents. A database's message may quote values, so of its
 * errors only the code and the stack frames are logged.
 */
export function report(logger: Logger, error: unknown, request: FastifyRequest): void {
  const { name, message, stack, code } = error as Error & { code?: string };
  const isFromDatabase = typeof code === 'string' && SQLSTATE.test(code);
  const err = isFromDatabase
    ? { name, code, stack: stack?.split('\n').slice(message.split('\n').length).join('\n') }
    : { name, message, stack };
  logger.error({ request_id: request.id, route: request.routeOptions.url, err }, 'request failed');
}

const SQLSTATE = /^[0-9A-Z]{5}$/;
