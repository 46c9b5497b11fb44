import { requestMethods } from '@florin/contract/resources/api-requests.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import { metricOptions } from '../../http/health/metrics.ts';
import { createSyncHook } from '../../http/hook.ts';
import { insertRows } from '../../platform/database/rows.ts';
import type { Services } from '../../services.ts';
import { createJournal, type Journal, type LoggedRequest } from './journal.ts';
import { createRedactor } from './redact.ts';
import { createAddressRedactor } from './redact-address.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Response body of a logged request. */
    answered: unknown;
  }
}

const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const METHODS: ReadonlySet<string> = new Set(requestMethods);

/**
 * Stores API keys' requests as `api_requests`: writes, and requests that were refused. Needs the
 * requests' `caller`.
 */
export function registerApiRequestLog(
  fastify: FastifyInstance,
  services: Services,
  metrics: Registry,
): void {
  const journal = journalOf(services, metrics);
  fastify.decorateRequest('answered', undefined);
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (isStored(request, reply)) request.answered = payload;
    done();
  });
  fastify.addHook(
    'onResponse',
    createSyncHook((request, reply) => appendRequest(journal, services, request, reply)),
  );
  fastify.addHook('onClose', () => journal.close());
}

function journalOf({ db, catalog, models, config, logger }: Services, metrics: Registry): Journal {
  const droppedCounter = new Counter({
    ...metricOptions('florin_api_requests_dropped_total'),
    registers: [metrics],
  });
  return createJournal({
    redact: createRedactor(models),
    address: createAddressRedactor(models),
    store: (rows) => insertRows(db, catalog, 'api_requests', rows),
    logger,
    monotonic_ms: config.monotonic_ms,
    dropped: (count) => droppedCounter.inc(count),
  });
}

const isStored = ({ method }: FastifyRequest, { statusCode }: FastifyReply): boolean =>
  (statusCode >= 400 || WRITES.has(method)) && METHODS.has(method);

function appendRequest(
  journal: Journal,
  { clock }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { caller } = request;
  if (!caller || !('token_id' in caller) || !isStored(request, reply)) return;
  journal.append({
    scope: caller.scope,
    token_id: caller.token_id,
    ...requestFacts(request),
    status: reply.statusCode,
    duration_ms: reply.elapsedTime,
    response_body: bytesOf(request.answered),
    at: clock.now(),
  });
}

const requestFacts = (
  request: FastifyRequest,
): Omit<
  LoggedRequest,
  'scope' | 'token_id' | 'status' | 'duration_ms' | 'response_body' | 'at'
> => ({
  method: request.method,
  route: request.routeOptions.url ?? '/v2/*',
  url: request.url,
  request_id: request.id,
  has_idempotency_key: request.headers['idempotency-key'] !== undefined,
  user_agent: request.headers['user-agent'],
  ip: request.ip,
  request_body: bytesOf(request.body),
});

const bytesOf = (body: unknown): Buffer | undefined => (Buffer.isBuffer(body) ? body : undefined);
