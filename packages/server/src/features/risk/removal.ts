import type { RequestContext } from '../../jsonapi/behaviour.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Updater } from '../records/updater.ts';

/** `PATCH …/remove`: removes a record for good; has no effect on a removed record. */
export const removeRecord = (
  update: Updater,
  { scope, if_match, idempotency }: RequestContext,
  id: string,
): Promise<Row> =>
  update({
    scope,
    id,
    if_match,
    idempotency,
    decide: ({ removed_at }, now) => ({
      set: removed_at ? {} : { removed_at: instantText(now) },
      events: [],
    }),
  });
