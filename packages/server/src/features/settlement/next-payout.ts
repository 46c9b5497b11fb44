import type { NextPayout } from '@florin/contract/payout-lines.ts';
import type { FastifyInstance } from 'fastify';
import { requirePermission } from '../../jsonapi/permissions.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { memberContext } from '../people/dashboard/member-context.ts';
import { endOfDay } from './days.ts';
import { PAYOUT_LEAST_CENTS } from './decide.ts';
import { findUnsettledDay } from './sql.ts';

/** `GET /dashboard/api/payouts/next`: when the next payout can be made; `null` where no settlement has begun. */
export function registerNextPayout(fastify: FastifyInstance, services: Services): void {
  const { models, reads, processorOf } = services;
  fastify.get('/dashboard/api/payouts/next', async (request): Promise<NextPayout | null> => {
    const ctx = await memberContext(services, request, { type: 'payouts' });
    for (const type of ['payouts', 'balances'] as const)
      requirePermission(ctx, models.get(type), 'read');
    const { mode } = ctx.scope;
    const processor = processorOf(mode)?.metadata.name;
    const day = processor && (await findUnsettledDay(reads, { processor, mode }));
    if (!day) return null;
    return {
      settled_on: day,
      not_before: instantText(endOfDay(day)),
      least_cents: PAYOUT_LEAST_CENTS,
    };
  });
}
