import { problem } from '@florin/contract/errors.ts';
import type { Behaviour, RequestContext } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import { countRows } from '../../platform/database/rows.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';

/**
 * Refuses creates beyond a type's maximum per merchant. Concurrent creates do not see each other,
 * so a few more may pass.
 */
export function withRecordLimit(services: Services, model: Model, behaviour: Behaviour): Behaviour {
  const { create } = behaviour;
  if (!create || model.resource.few === undefined) return behaviour;
  return {
    ...behaviour,
    async create(ctx, input, record) {
      await requireBelowRecordLimit(services, model, ctx);
      return create(ctx, input, record);
    },
  };
}

/** Throws 422 if the merchant has the maximum number of records of a type. */
export async function requireBelowRecordLimit(
  { db }: Services,
  { type, table, has_mode, resource: { ended, few: limit } }: Model,
  ctx: RequestContext,
): Promise<void> {
  if (limit === undefined) return;
  const { scope } = ctx;
  const count = await countRows(db, table, {
    merchant_id: scope.merchant_id,
    ...(has_mode && { mode: scope.mode }),
    ...(ended && { unexpired: { expiryColumn: ended, at: instantText(ctx.now()) } }),
    up_to: limit,
  });
  if (count < limit) return;
  throw problem(
    'limit_reached',
    `The maximum of ${limit} ${type.replaceAll('_', ' ')} is reached. End one before you create another.`,
    { pointer: '/data' },
    { meta: { limit } },
  );
}
