import { problem } from '@florin/contract/errors.ts';
import type { Resource } from '@florin/contract/resources/define-resource.ts';
import { resources } from '@florin/contract/resources/index.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { registerModeCrossings } from '../features/audit-log/mode-crossings.ts';
import { registerDisputeFiles } from '../features/disputes/files/routes.ts';
import { registerDocumentContents } from '../features/documents/routes.ts';
import { createBehaviours } from '../features/index.ts';
import type { Authenticator } from '../features/merchants/authenticate.ts';
import { registerEncryptionKeys } from '../features/payment-methods/encryption-keys.ts';
import { callerOf, registerAdmission } from '../features/people/access/admission.ts';
import type { FindMember } from '../features/people/access/member-admission.ts';
import { type Actor, registerAuditLog } from '../features/people/dashboard/audit-log.ts';
import {
  registerFreshWrites,
  registerLiveWrites,
} from '../features/people/dashboard/fresh-writes.ts';
import { requireLiveRights } from '../features/people/memberships/decide.ts';
import type { Member } from '../features/people/sql/members.ts';
import { registerApiRequestLog } from '../features/request-log/api-request-log.ts';
import { registerSandbox } from '../features/sandbox/routes.ts';
import { registerEntryChecks } from '../http/entry-checks.ts';
import { idempotencyKeyOf } from '../http/idempotency-key.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { knownApiError, report } from '../http/site.ts';
import { unknownAddressProblem } from '../http/unknown-address.ts';
import type { RequestContext } from '../jsonapi/behaviour.ts';
import { hasPermission } from '../jsonapi/permissions.ts';
import { createIdempotencyLookup } from '../jsonapi/reading/idempotency-lookup.ts';
import type { Reader } from '../jsonapi/reading/read.ts';
import { registerRoutes } from '../jsonapi/routes.ts';
import type { Caller } from '../platform/caller.ts';
import type { Services } from '../services.ts';

export interface ApiSiteOptions {
  readonly services: Services;
  readonly reader: Reader;
  readonly authenticator: Authenticator;
  readonly limits: RateLimits;
  readonly findMember: FindMember;
  readonly metrics: Registry;
}

/** Registers the API: every resource type under `/v2`. */
export function registerApi(
  fastify: FastifyInstance,
  { services, reader, metrics, ...admissionOptions }: ApiSiteOptions,
): void {
  const { callers, directory } = services;
  registerAdmission(fastify, { callers, directory, ...admissionOptions });
  registerFreshWrites(fastify, services.system_clock);
  registerLiveWrites(fastify, services.models);
  registerApiRequestLog(fastify, services, metrics);
  registerModeCrossings(fastify, services, metrics);
  registerEntryChecks(fastify);
  const { db, system_clock: clock, config } = services;
  registerAuditLog(fastify, { db, clock, actorOf, monotonic_ms: config.monotonic_ms });
  registerReadLog(fastify);
  const authenticate = (request: FastifyRequest) => contextOf(services, request);
  registerRoutes(fastify, {
    models: services.models,
    behaviours: createBehaviours(services),
    reader,
    idempotencyLookup: createIdempotencyLookup(services),
    authenticate,
    base_url: services.config.public_url,
    translate: knownApiError,
    report: (error, request) => report(services.logger, error, request),
  });
  registerDisputeFiles(fastify, services, { reader, authenticate });
  registerDocumentContents(fastify, services, authenticate);
  registerEncryptionKeys(fastify, services, authenticate);
  registerMetering(fastify);
  registerSandbox(fastify, services);
  fastify.all('/v2/*', ({ url }) => {
    throw unknownAddressProblem(services.models, url);
  });
}

/** Logs what an operator reads of merchants that the operator is no member of. */
const registerReadLog = (fastify: FastifyInstance): FastifyInstance =>
  fastify.addHook('preHandler', async (request) => {
    const { caller, method } = request;
    if (!caller || !('person' in caller) || caller.membership_id || method !== 'GET') return;
    const { person, scope } = caller;
    await request.logRead({ account_id: person.account.id, merchant_id: scope.merchant_id });
  });

/** Groups of types that are settings. Writes with API keys to other types are in the request log alone. */
const AUDITED_GROUPS: ReadonlySet<string> = new Set(['banking', 'developer', 'user']);

/** Types whose writes with API keys are audited. */
const AUDITED_TYPES: ReadonlySet<string> = new Set(
  Object.values<Resource>(resources)
    .filter(({ group }) => AUDITED_GROUPS.has(group))
    .map(({ type }) => type),
);

/** The signed-in person, or the secret key that writes to settings. A thief of a public key cannot fill the log. */
function actorOf({ caller, routeOptions }: FastifyRequest): Actor | undefined {
  if (!caller) return undefined;
  if ('person' in caller) return { account_id: caller.person.account.id, ...caller.scope };
  const [, , type = ''] = routeOptions.url?.split('/') ?? [];
  return AUDITED_TYPES.has(type) && 'token_id' in caller && caller.context === 'secret'
    ? { merchant_token_id: caller.token_id, ...caller.scope }
    : undefined;
}

function contextOf({ clock, config }: Services, request: FastifyRequest): RequestContext {
  const caller = callerOf(request);
  const key = READS.has(request.method) ? undefined : idempotencyKeyOf(request);
  return {
    scope: caller.scope,
    now: () => clock.now(),
    request_id: request.id,
    base_url: config.public_url,
    permissions: caller.permissions,
    requireLiveRights: (attribute) => requireLiveRights(caller, attribute),
    ...('token_id' in caller && { key: caller }),
    membership_id: 'token_id' in caller ? (caller.creator_id ?? undefined) : caller.membership_id,
    settings: caller.settings,
    isVisible: (type, field) => field !== 'secret_key' || maySeeSecrets(caller, type, request),
    ...(key !== undefined && { idempotency_key: key }),
  };
}

/**
 * Whether the caller may read secrets: with the permission to rotate them, or in the response to a create. Operators
 * have neither.
 */
const maySeeSecrets = (
  caller: Caller | Member,
  type: string,
  { method, routeOptions }: FastifyRequest,
): boolean =>
  hasPermission(caller, `developer.${type}.update`) ||
  (method === 'POST' &&
    routeOptions.url === `/v2/${type}` &&
    hasPermission(caller, `developer.${type}.create`));

/** Methods without idempotency keys. */
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Answers the usage metering endpoints of existing clients, which this API lacks and no key may use. */
function registerMetering(fastify: FastifyInstance): void {
  fastify.all('/v1/*', async () => {
    throw problem('forbidden', 'Token does not have permission to access usage metering.');
  });
}
