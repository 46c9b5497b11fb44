import type { Db } from '../../platform/database/db.ts';

/**
 * Deletes requests that were answered by `until`, oldest first, at most `limit`. Returns the number
 * of deleted rows.
 */
export async function pruneRequestsUntil(db: Db, until: string, limit: number): Promise<number> {
  const deletedRows = await db.query(
    `with old as (select merchant_id, id from api_requests where created_at <= $1
       order by created_at limit $2 for update skip locked)
     delete from api_requests r using old
     where r.merchant_id = old.merchant_id and r.id = old.id returning 1`,
    [until, limit],
    'prune_api_requests',
  );
  return deletedRows.length;
}

/**
 * Deletes each merchant's requests per mode beyond the newest `stored_max`, at most `limit` in total. Skips merchants
 * without requests after `since`: earlier runs have pruned them. Returns the number of deleted rows.
 */
export async function pruneRequestsBeyond(
  db: Db,
  {
    stored_max,
    since,
    limit,
  }: { readonly stored_max: number; readonly since: string; readonly limit: number },
): Promise<number> {
  const deletedRows = await db.query(
    `with old as (select o.merchant_id, o.id
       from merchants m cross join (values ('live'), ('sandbox')) s (mode)
       cross join lateral (select r.merchant_id, r.id from api_requests r
         where r.merchant_id = m.id and r.mode = s.mode
         order by r.created_at desc, r.id desc offset $1 limit $2) o
       where exists (select 1 from api_requests n
         where n.merchant_id = m.id and n.mode = s.mode and n.created_at > $3)
       limit $2)
     delete from api_requests r using old
     where r.merchant_id = old.merchant_id and r.id = old.id returning 1`,
    [stored_max, limit, since],
    'prune_api_requests_beyond',
  );
  return deletedRows.length;
}
