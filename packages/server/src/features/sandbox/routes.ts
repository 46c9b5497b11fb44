import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requirePermission } from '../../jsonapi/permissions.ts';
import type { Requester } from '../../platform/caller.ts';
import type { Services } from '../../services.ts';
import { callerOf } from '../people/access/admission.ts';
import { createDrain, DRAIN_SECONDS_MAX } from './drain.ts';

const DRAIN_SECONDS = 10;

/** Routes for tests of a merchant's integration. Require a secret key of the sandbox. */
export function registerSandbox(fastify: FastifyInstance, services: Services): void {
  const drain = createDrain(services);
  fastify.get('/sandbox/drain', async (request, reply) => {
    const { scope } = sandboxCallerOf(services, request);
    const wait_ms = timeoutOf(request) * 1000;
    const openCounts = await drain({ scope, wait_ms, isDisconnected: () => reply.raw.destroyed });
    if (Object.keys(openCounts).length === 0) return reply.status(204).send();
    return reply.status(200).send({ open: openCounts });
  });
}

function sandboxCallerOf({ models }: Services, request: FastifyRequest): Requester {
  const caller = callerOf(request);
  if (caller.scope.mode !== 'sandbox') {
    throw problem('forbidden', 'This address exists in the sandbox only. Use a sandbox key.', {
      header: 'Authorization',
    });
  }
  requirePermission(
    { permissions: caller.permissions, ...('token_id' in caller && { key: caller }) },
    models.get('payment_demands'),
    'read',
  );
  return caller;
}

/** Timeout in full seconds. Throws 422 if invalid. */
function timeoutOf({ query }: FastifyRequest): number {
  const { timeout = String(DRAIN_SECONDS) } = query as Readonly<Record<string, unknown>>;
  const waitSeconds =
    typeof timeout === 'string' && /^\d{1,2}$/.test(timeout) ? Number(timeout) : NaN;
  if (waitSeconds <= DRAIN_SECONDS_MAX) return waitSeconds;
  throw problem(
    'invalid_value',
    `timeout must be a number of seconds from 0 to ${DRAIN_SECONDS_MAX}.`,
    {
      parameter: 'timeout',
    },
  );
}
