import type { Db } from '../../../platform/database/db.ts';
import { notStopped } from '../../../platform/database/installation/stopped.ts';

/**
 * Deletes attempts made by `until`, oldest first, at most `limit`. Returns the number of deleted
 * rows.
 */
export async function pruneAttemptsUntil(db: Db, until: string, limit: number): Promise<number> {
  const deletedRows = await db.query(
    `with old as (select merchant_id, id from webhook_delivery_attempts where created_at <= $1 and ${notStopped('merchant_id')}
       order by created_at limit $2 for update skip locked)
     delete from webhook_delivery_attempts a using old
     where a.merchant_id = old.merchant_id and a.id = old.id returning 1`,
    [until, limit],
    'prune_webhook_attempts',
  );
  return deletedRows.length;
}
