import {
  type GettingStarted,
  type StartStep,
  startSteps,
} from '@florin/contract/getting-started.ts';
import { type Access, permissionSlug } from '@florin/contract/permissions.ts';
import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import type { FastifyInstance } from 'fastify';
import type { RequestContext } from '../../jsonapi/behaviour.ts';
import { hasPermission, requirePermission } from '../../jsonapi/permissions.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { hasProcessor } from '../merchants/processor.ts';
import { memberContext } from '../people/dashboard/member-context.ts';
import { findTakenSteps } from './sql.ts';

/** Permission to take each step. */
const permissions: Readonly<Record<StartStep, readonly [ResourceType, Access]>> = {
  payment: ['payment_demands', 'create'],
  key: ['merchant_tokens', 'create'],
  webhook: ['webhook_subscriptions', 'create'],
  brand: ['merchants', 'update'],
  team: ['memberships', 'create'],
  application: ['merchants', 'update'],
  processor: ['merchants', 'update'],
};

/** `GET /dashboard/api/getting_started`: the steps that the member may take, and which are done. */
export function registerGettingStarted(fastify: FastifyInstance, services: Services): void {
  fastify.get('/dashboard/api/getting_started', async (request): Promise<GettingStarted> => {
    const ctx = await memberContext(services, request, { type: 'merchants' });
    requirePermission(ctx, services.models.get('merchants'), 'read');
    const steps = startSteps.filter((step) => mayTake(ctx, step));
    if (steps.length === 0) return { steps: [] };
    const at = instantText(services.system_clock.now());
    const taken = {
      ...(await findTakenSteps(services.reads, ctx.scope, at)),
      processor: hasProcessor(services, { ...ctx.scope, mode: 'live' }),
    };
    return { steps: steps.map((step) => ({ step, done: taken[step] })) };
  });
}

function mayTake(ctx: RequestContext, step: StartStep): boolean {
  const [type, access] = permissions[step];
  return hasPermission(ctx, permissionSlug(resources[type], access));
}
