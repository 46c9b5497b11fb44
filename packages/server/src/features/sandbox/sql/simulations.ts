import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { type ClaimScope, withinSql } from '../../../platform/database/within.ts';

/** Attempts with a due simulated event. */
export function dueSimulations(
  db: Db,
  now: string,
  limit: number,
  within: ClaimScope | undefined,
): Promise<Row[]> {
  const scopeFilter = withinSql('attempts', within, 3);
  return db.query(
    `select t.merchant_id, t.id, t.processor from attempts t
     where t.later_at <= $1 and ${scopeFilter.sql} order by t.later_at limit $2`,
    [now, limit, ...scopeFilter.values],
    `later_due${scopeFilter.name}`,
  );
}

/** Clears an attempt's simulated event after it was triggered. */
export const clearSimulation = (db: Db, { merchant_id, id }: Row): Promise<unknown> =>
  db.query(
    'update attempts set later_at = null where merchant_id = $1 and id = $2',
    [merchant_id, id],
    'prune_later',
  );
