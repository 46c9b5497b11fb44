import type { RequestContext } from '../../jsonapi/behaviour.ts';
import type { Row } from '../../store/row.ts';
import { createUpdater, type UpdateItem } from '../records/updater.ts';
import type { Services } from '../services.ts';

/** Changes a key as `decide` says of its locked row, and lets this process see the change at once. */
export type TokenUpdater = (
  ctx: RequestContext,
  id: string,
  decide: UpdateItem['decide'],
) => Promise<Row>;

export function createTokenUpdater(services: Services): TokenUpdater {
  const update = createUpdater(services, { table: 'merchant_tokens', eventOf: untold });
  return async ({ scope, if_match, idempotency }, id, decide) => {
    const row = await update({ scope, id, if_match, idempotency, decide });
    services.callers.forget(hashOf(row));
    return row;
  };
}

/** PostgreSQL writes bytes as hex after a backslash and an x. */
export const hashOf = ({ token_hash }: Row): string => (token_hash as string).slice(2);

function untold(): never {
  throw new Error('nothing tells of what becomes of keys');
}
