import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { memberContext } from '../../features/people/dashboard/member-context.ts';
import { startReset } from '../../features/sandbox/reset.ts';
import { oneOf, readBody } from '../../http/body.ts';
import type { RequestContext } from '../../jsonapi/behaviour.ts';
import { requirePermission } from '../../jsonapi/permissions.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, microsOf } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { findReset } from './sql/sandbox-resets.ts';

/** Text that the caller must send to confirm a reset. */
const CONFIRMATION = 'reset sandbox';

/**
 * `POST /dashboard/api/sandbox/reset` starts the removal of a sandbox's records. `GET` returns the
 * progress.
 */
export function registerSandboxReset(fastify: FastifyInstance, services: Services): void {
  const url = '/dashboard/api/sandbox/reset';
  const mayReset = (ctx: RequestContext): string => {
    if (ctx.scope.mode !== 'sandbox') throw onlySandbox();
    requirePermission(ctx, services.models.get('merchants'), 'update');
    return ctx.scope.merchant_id;
  };
  fastify.get(url, async (request) => {
    const merchant_id = mayReset(await memberContext(services, request, { type: 'merchants' }));
    const reset = await findReset(services.db, merchant_id);
    return reset ? resetView(reset) : { status: 'never' };
  });
  fastify.post(url, { config: { fresh: true } }, async (request, reply) => {
    const merchant_id = mayReset(await memberContext(services, request, { type: 'merchants' }));
    readBody(request.body, { confirm: oneOf([CONFIRMATION]) });
    return reply.status(202).send(resetView(await startReset(services, merchant_id)));
  });
}

const resetView = ({ requested_at, finished_at, removed_count, kept_cards }: Row) => ({
  status: finished_at == null ? 'running' : 'finished',
  removed_count: Number(removed_count),
  /** Number of cards that the vault failed to destroy. */
  kept_cards: Number(kept_cards),
  requested_at: instantText(microsOf(requested_at as string)),
  finished_at: finished_at == null ? null : instantText(microsOf(finished_at)),
});

const onlySandbox = () =>
  problem('forbidden', 'Only the sandbox can be reset. Use a sandbox key.', {
    header: 'Florin-Mode',
  });
