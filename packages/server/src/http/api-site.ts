import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createBehaviours } from '../features/index.ts';
import type { Services } from '../features/services.ts';
import type { RequestContext } from '../jsonapi/behaviour.ts';
import { holds } from '../jsonapi/permissions.ts';
import type { Reader } from '../jsonapi/read.ts';
import { createRecall } from '../jsonapi/recall.ts';
import { registerRoutes } from '../jsonapi/routes.ts';
import { callerOf, registerAdmission } from './admission.ts';
import type { Authenticator } from './authenticate.ts';
import { registerEntryChecks } from './entry-checks.ts';
import type { RateLimits } from './rate-limit.ts';
import { registerSandbox } from './sandbox-site.ts';
import { knownError, report } from './site.ts';

export interface ApiSiteOptions {
  readonly services: Services;
  readonly reader: Reader;
  readonly authenticator: Authenticator;
  readonly limits: RateLimits;
}

/** The HTTP interface: every resource type under `/v2`. */
export function registerApi(
  fastify: FastifyInstance,
  { services, reader, authenticator, limits }: ApiSiteOptions,
): void {
  registerAdmission(fastify, { callers: services.callers, authenticator, limits });
  registerEntryChecks(fastify);
  registerRoutes(fastify, {
    models: services.models,
    behaviours: createBehaviours(services),
    reader,
    recall: createRecall(services.db),
    authenticate: (request) => contextOf(services, request),
    translate: knownError,
    report: (error, request) => report(services.logger, error, request),
  });
  registerMetering(fastify);
  registerSandbox(fastify, services);
  fastify.all('/v2/*', () => {
    throw problem('not_found', 'There is nothing at this address.');
  });
}

function contextOf({ clock, config }: Services, request: FastifyRequest): RequestContext {
  const caller = callerOf(request);
  const key = READS.has(request.method) ? undefined : request.headers['idempotency-key'];
  return {
    scope: caller.scope,
    now: () => clock.now(),
    request_id: request.id,
    base_url: config.public_url,
    permissions: caller.permissions,
    key: caller,
    settings: caller.settings,
    visible: (type, field) => field !== 'secret_key' || holds(caller, `developer.${type}.read`),
    ...(typeof key === 'string' && { idempotency_key: idempotencyKey(key) }),
  };
}

/** To these an idempotency key means nothing. */
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

const KEY_LENGTH_MAX = 255;

/** The header as a structured-field string or bare, as clients send it. */
function idempotencyKey(header: string): string {
  const key = header.trim().replace(/^"(.*)"$/, '$1');
  if (key.length > 0 && key.length <= KEY_LENGTH_MAX) return key;
  throw problem('invalid_value', `An idempotency key has 1 to ${KEY_LENGTH_MAX} characters.`, {
    header: 'Idempotency-Key',
  });
}

/** Usage metering exists beside this interface; no key here has a right to it. */
function registerMetering(fastify: FastifyInstance): void {
  fastify.all('/v1/*', async () => {
    throw problem('forbidden', 'Token does not have permission to access usage metering.');
  });
}
