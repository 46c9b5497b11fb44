import { problem } from '@florin/contract/errors.ts';
import type { SettledOnRequest } from '@florin/contract/settled-on-request.ts';
import type { FastifyInstance } from 'fastify';
import { requirePermission } from '../../../jsonapi/permissions.ts';
import type { Services } from '../../../services.ts';
import { memberContext } from '../../people/dashboard/member-context.ts';
import { createSettlementLimits } from './limits.ts';
import { settleOnRequest } from './settle-on-request.ts';

/** `POST /dashboard/api/sandbox/settlement` settles a sandbox and pays it out, without waiting for the end of the day. */
export function registerSettlementOnRequest(fastify: FastifyInstance, services: Services): void {
  const { models, config } = services;
  const limits = createSettlementLimits(config.monotonic_ms);
  fastify.post('/dashboard/api/sandbox/settlement', async (request): Promise<SettledOnRequest> => {
    const ctx = await memberContext(services, request, { type: 'payouts' });
    const { mode, merchant_id } = ctx.scope;
    if (mode !== 'sandbox') throw onlySandbox();
    for (const type of ['payouts', 'balances'] as const)
      requirePermission(ctx, models.get(type), 'read');
    requirePermission(ctx, models.get('settlement_exceptions'), 'update');
    return limits.run(merchant_id, () => settleOnRequest(services, merchant_id));
  });
}

const onlySandbox = () =>
  problem('forbidden', 'Only the sandbox settles on request. Live payouts follow settled days.', {
    header: 'Florin-Mode',
  });
