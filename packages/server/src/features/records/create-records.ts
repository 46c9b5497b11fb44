import type { Behaviours, RequestContext } from '../../jsonapi/behaviour.ts';
import { writeOnce } from '../../jsonapi/once.ts';
import { newRow } from '../../jsonapi/parse-document/rows.ts';
import { createIdempotencyLookup } from '../../jsonapi/reading/idempotency-lookup.ts';
import { uuidv7 } from '../../platform/ids.ts';
import type { Services } from '../../services.ts';

/**
 * Returns a function that creates records by the interface's rules, once per idempotency key.
 * Resolves with the record's id.
 */
export function createRecordCreator(services: Services, behaviours: Behaviours) {
  const idempotencyLookup = createIdempotencyLookup(services);
  return async (
    ctx: RequestContext,
    type: string,
    attributes: Readonly<Record<string, unknown>>,
    relationships: Readonly<Record<string, string>>,
  ): Promise<string> => {
    const model = services.models.get(type);
    const { create, comparedRow, repeat } = behaviours[type] ?? {};
    if (!create) throw new Error(`${type} cannot be created`);
    const input = { attributes, relationships };
    const now = ctx.now();
    const row = newRow(model, input, { id: uuidv7(now), scope: ctx.scope, now });
    const record = comparedRow?.(row) ?? row;
    const request = { operation: 'create', input, record };
    const results = await writeOnce(
      { model, idempotencyLookup, repeat },
      ctx,
      request,
      (keyedItems) => create(keyedItems, input, row),
    );
    return results.id;
  };
}
