import { problem } from '@florin/contract/errors.ts';
import type { Behaviour, RequestContext } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import { countRows } from '../../platform/database/rows.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';

/**
 * The same behaviour, but a create of a type of which a merchant has few is refused where it has that many.
 * Creates that run at the same time do not see each other, so that a few more may slip in.
 */
export function withinLimit(services: Services, model: Model, behaviour: Behaviour): Behaviour {
  const { create } = behaviour;
  if (!create || model.resource.few === undefined) return behaviour;
  return {
    ...behaviour,
    async create(ctx, input, record) {
      await requireRoom(services, model, ctx);
      return create(ctx, input, record);
    },
  };
}

/** Throws 422 where the merchant has as many of a type as there may be. */
export async function requireRoom(
  { db }: Services,
  { type, table, has_mode, resource: { ended, few: limit } }: Model,
  ctx: RequestContext,
): Promise<void> {
  if (limit === undefined) return;
  const { scope } = ctx;
  const there = await countRows(db, table, {
    merchant_id: scope.merchant_id,
    ...(has_mode && { mode: scope.mode }),
    ...(ended && { open: { until: ended, at: instantText(ctx.now()) } }),
    up_to: limit,
  });
  if (there < limit) return;
  throw problem(
    'limit_reached',
    `There are ${limit} ${type.replaceAll('_', ' ')} already, which is the most that there may be.`,
    { pointer: '/data' },
    { meta: { limit } },
  );
}
