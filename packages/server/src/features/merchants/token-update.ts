import type { RequestContext } from '../../jsonapi/behaviour.ts';
import { differingColumns } from '../../jsonapi/parse-document/rows.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Services } from '../../services.ts';
import { conditionsOf, createUpdater, type UpdateItem } from '../records/updater.ts';

/** Updates a locked key with the decision of `decide`. This process sees the change immediately. */
export type TokenUpdater = (
  ctx: RequestContext,
  id: string,
  decide: UpdateItem['decide'],
  columns?: Row,
) => Promise<Row>;

export function createTokenUpdater(services: Services): TokenUpdater {
  const model = services.models.get('merchant_tokens');
  const update = createUpdater(services, {
    table: model.table,
    differing: (row, columns) => differingColumns(model, row, columns),
  });
  return async (ctx, id, decide, columns) => {
    const row = await update({ ...conditionsOf(ctx, id), decide, ...(columns && { columns }) });
    services.callers.evict(hashOf(row));
    return row;
  };
}

/** Hash of a key in hex. PostgreSQL writes bytea as `\x` and hex. */
export const hashOf = ({ token_hash }: Row): string => (token_hash as string).slice(2);
