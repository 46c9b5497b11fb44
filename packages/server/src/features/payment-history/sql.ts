import type { Db } from '../../platform/database/db.ts';
import type { Scope } from '../../platform/database/scope.ts';

/** Records of a payment whose actors are read: the payment, then its newest captures, refunds and disputes. */
const RECORDS_MAX = 100;
/** Actors of each kind. */
const ACTORS_MAX = 200;
/** Creations of records whose requests are searched in the request log. */
const CREATIONS_MAX = 20;
/** The request log stores a request when it ends, so shortly after the event that the request stored. */
const SECONDS_BEFORE = 1;
const SECONDS_AFTER = 10;

/** Ids of a payment and of its captures, refunds and disputes. Empty if the payment does not exist. */
export async function findRecordIds(
  db: Db,
  { merchant_id, mode }: Scope,
  id: string,
): Promise<readonly string[]> {
  const partOf = (table: string) =>
    `(select f.id from ${table} f where f.merchant_id = $1 and f.payment_demand_id = p.id
      order by f.created_at desc limit ${RECORDS_MAX})`;
  const rows = await db.query(
    `select r.id from payment_demands p cross join lateral (
       select p.id union all ${partOf('refund_demands')} union all ${partOf('capture_demands')}
       union all ${partOf('disputes')}) r
     where p.merchant_id = $1 and p.mode = $2 and p.id = $3`,
    [merchant_id, mode, id],
    'records_of_payment',
  );
  return rows.map((row) => row.id as string);
}

/**
 * SQL: successful writes of members to the records `$3` of merchant `$1` and mode `$2`, oldest first, with the members'
 * names.
 */
export const memberActorsSql = `
  select e.record_id, e.action, a.name, a.email, e.created_at as at
  from audit_entries e join accounts a on a.id = e.account_id
  where e.merchant_id = $1 and e.mode = $2 and e.record_id = any ($3::uuid[]) and e.outcome < 400
  order by e.created_at, e.id limit ${ACTORS_MAX}`;

/**
 * SQL: API keys that created the records `$3` of merchant `$1` and mode `$2`, by the request log, which is sampled and
 * pruned. The index by merchant, mode and time finds the requests around each creation.
 */
export const keyActorsSql = `
  select e.resource_id as record_id, r.method || ' ' || r.route as action, k.name, r.created_at as at
  from (select resource_id, recorded_at from events
      where merchant_id = $1 and mode = $2 and resource_id = any ($3::uuid[]) and slug = 'created'
      order by recorded_at desc limit ${CREATIONS_MAX}) e
    cross join lateral (
      select q.method, q.route, q.created_at, q.merchant_token_id from api_requests q
      where q.merchant_id = $1 and q.mode = $2 and q.method = 'POST' and q.status_code = 201
        and q.created_at between e.recorded_at - interval '${SECONDS_BEFORE} s'
          and e.recorded_at + interval '${SECONDS_AFTER} s'
        and q.response_body -> 'data' ->> 'id' = e.resource_id::text
      order by q.created_at limit 1) r
    join merchant_tokens k on k.merchant_id = $1 and k.id = r.merchant_token_id`;
