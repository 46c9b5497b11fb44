import { hasRawCard } from '@florin/contract/card/scan.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { uuidv7 } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import { createNetworkTest } from '../platform/rates/in-networks.ts';
import { prefixOf } from '../platform/rates/network-of.ts';
import { currentTracer, type OpenSpan } from '../platform/telemetry/tracing.ts';
import { createSyncHook } from './hook.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Sender of the request for the access log, once a feature knows it. */
    sender: RequestSender | undefined;
  }
}

/** Sender of a request, by ids. */
export interface RequestSender {
  readonly merchant_id?: string;
  readonly mode?: string;
  /** Id of an API key, never the key. */
  readonly key_id?: string;
  readonly account_id?: string;
}

/** `payers`: addresses are shortened to networks, because payers are not customers of the operator. */
export type Audience = 'clients' | 'payers';

/** Reads ids and numbers from a request for its line of the access log. */
export type AccessFacts = (request: FastifyRequest) => object;

interface RequestLogOptions {
  readonly access_log?: boolean;
  readonly audience?: Audience;
  readonly access_facts?: AccessFacts;
}

/**
 * Request ids that clients may choose. Other ids, and card numbers, are replaced, because ids are returned
 * and logged.
 */
const CLIENT_ID = /^[A-Za-z0-9_.-]{8,64}$/;
const isClientId = (id: string): boolean => CLIENT_ID.test(id) && !hasRawCard(id);

/** Request ids sort log lines by time, so they always use the system clock. */
export const newRequestId = (): string => uuidv7(Date.now() * 1000);

export const requestId = (headers: FastifyRequest['raw']['headers']): string => {
  const clientId = headers['x-request-id'];
  return typeof clientId === 'string' && isClientId(clientId) ? clientId : newRequestId();
};

/** Addresses that load balancers and Prometheus ask every few seconds. */
const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz', '/healthz', '/metrics']);

/** Sends the id of each request, and logs a line per request unless `access_log` is false. */
export function registerRequestLog(
  fastify: FastifyInstance,
  logger: Logger,
  { access_log = true, audience = 'clients', access_facts = () => ({}) }: RequestLogOptions = {},
): void {
  fastify.decorateRequest('sender', undefined);
  fastify.addHook(
    'onRequest',
    createSyncHook((request, reply) => void reply.header('x-request-id', request.id)),
  );
  if (!access_log) return;
  fastify.addHook(
    'onResponse',
    createSyncHook((request, reply) => {
      const level = PROBES.has(request.routeOptions.url ?? '') ? 'debug' : 'info';
      if (!logger.isLevelEnabled(level)) return;
      logger[level]({ ...lineOf(request, reply, audience), ...access_facts(request) }, 'request');
    }),
  );
}

/** Fixed fields: the route's pattern in place of the address, and never a header, query or body. */
const lineOf = (request: FastifyRequest, reply: FastifyReply, audience: Audience) => ({
  request_id: request.id,
  method: request.method,
  route: request.routeOptions.url,
  status: reply.statusCode,
  ms: Math.round(reply.elapsedTime),
  bytes: bytesOf(reply),
  address: audience === 'payers' ? prefixOf(request.ip) : request.ip,
  ...request.sender,
});

/** Length of the body; undefined where it is streamed. */
function bytesOf(reply: FastifyReply): number | undefined {
  const length = reply.getHeader('content-length');
  return length === undefined ? undefined : Number(length);
}

/**
 * Makes a span of each request, if the process exports traces. Call before other hooks. A trace decides whether it is
 * kept, so only proxies of the operator may send one.
 */
export function registerRequestSpans(
  fastify: FastifyInstance,
  trusted_proxies: readonly string[],
): void {
  const tracer = currentTracer();
  if (!tracer) return;
  const isTrusted = createNetworkTest(trusted_proxies);
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    const isContinued =
      typeof traceparent === 'string' && isTrusted(request.raw.socket.remoteAddress);
    const span = tracer.startRequest(isContinued ? traceparent : undefined);
    spans.set(request, span);
    span.within(done);
  });
  // The body arrives in events of the socket, which know nothing of the span.
  fastify.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.within(done);
    else done();
  });
  fastify.addHook(
    'onResponse',
    createSyncHook((request, reply) => spans.get(request)?.end(spanFacts(request, reply))),
  );
}

const spanFacts = (
  { method, routeOptions, id, sender }: FastifyRequest,
  { statusCode }: FastifyReply,
) => ({
  'span.name': `${method} ${routeOptions.url ?? 'unknown'}`,
  'http.request.method': method,
  'http.route': routeOptions.url,
  'http.response.status_code': statusCode,
  'florin.request_id': id,
  'florin.merchant_id': sender?.merchant_id,
  'florin.mode': sender?.mode,
});
