import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import { type ClaimScope, withinSql } from '../../../platform/database/within.ts';

/**
 * Locks the replay that has been due longest, for the caller's transaction. Skips replays that
 * another worker has locked.
 */
export async function lockDueReplay(
  tx: Db,
  now: string,
  within?: ClaimScope,
): Promise<Row | undefined> {
  const scopeFilter = withinSql('webhook_replays', within, 2);
  const [row] = await tx.query(
    `select * from webhook_replays t where due_at <= $1 and ${scopeFilter.sql}
     order by due_at limit 1 for no key update skip locked`,
    [now, ...scopeFilter.values],
    `lock_due_replay${scopeFilter.name}`,
  );
  return row;
}

/** Number of open replays of a scope; counts up to `up_to`. */
export async function countOpenReplays(
  db: Db,
  { merchant_id, mode }: Scope,
  up_to: number,
): Promise<number> {
  const [row] = await db.query(
    `select count(*) as count from (select 1 from webhook_replays
       where merchant_id = $1 and mode = $2 and status = 'pending' limit $3) counted`,
    [merchant_id, mode, up_to],
    'count_open_replays',
  );
  return Number(row?.count);
}

const NIL = '00000000-0000-0000-0000-000000000000';

/**
 * Next events of a replay, oldest first, each with its delivery. Compares the subscription as text, so that the planner
 * looks up deliveries by event and does not scan all of the subscription's deliveries.
 */
export const nextReplayed = (tx: Db, replay: Row, limit: number): Promise<Row[]> =>
  tx.query(
    `with page as materialized (
       select id, created_at, resource_type || '.' || slug as code, resource_id, sequence from events
       where merchant_id = $1 and mode = $2 and created_at >= $3 and created_at < $4
         and (created_at, id) > ($5, $6) ${replay.resource_id ? 'and resource_id = $9' : ''}
       order by created_at, id limit $7)
     select page.*, d.id as delivery_id, d.status as delivery_status from page
     left join lateral (select id, status from webhook_deliveries
       where merchant_id = $1 and event_id = page.id and webhook_subscription_id::text = $8::text
       limit 1) d on true
     order by page.created_at, page.id`,
    [
      replay.merchant_id,
      replay.mode,
      replay.since,
      replay.until,
      replay.cursor_created_at ?? replay.since,
      replay.cursor_id ?? NIL,
      limit,
      replay.webhook_subscription_id,
      ...(replay.resource_id ? [replay.resource_id] : []),
    ],
    `next_replayed${replay.resource_id ? '_of_one' : ''}`,
  );

/** Delivery of an event that was never sent to a subscription. */
export interface NewDelivery {
  readonly event_id: string;
  readonly order_key: string | null;
  readonly sequence: string | null;
}

/**
 * Stores deliveries, due at `now`, of events for which the replay's subscription has none. Returns
 * the number of stored rows.
 */
export async function insertDeliveries(
  tx: Db,
  { merchant_id, mode, webhook_subscription_id }: Row,
  now: string,
  deliveries: readonly NewDelivery[],
): Promise<number> {
  if (deliveries.length === 0) return 0;
  const storedRows = await tx.query(
    `insert into webhook_deliveries
       (merchant_id, mode, id, event_id, webhook_subscription_id, status, due_at, order_key, sequence,
         created_at, updated_at)
     select $1, $2, uuid7($4), n.event_id, $3, 'pending', $4, n.order_key, n.sequence, $4, $4
     from unnest($5::uuid[], $6::uuid[], $7::int[]) as n (event_id, order_key, sequence)
     on conflict (merchant_id, event_id, webhook_subscription_id) do nothing returning 1`,
    [
      merchant_id,
      mode,
      webhook_subscription_id,
      now,
      deliveries.map(({ event_id }) => event_id),
      deliveries.map(({ order_key }) => order_key),
      deliveries.map(({ sequence }) => sequence),
    ],
    'insert_replayed',
  );
  return storedRows.length;
}

/**
 * Number of the subscription's untried deliveries that are newer than the replay; counts up to
 * `up_to`.
 */
export async function countBacklog(
  tx: Db,
  { merchant_id, webhook_subscription_id, created_at }: Row,
  up_to: number,
): Promise<number> {
  const [row] = await tx.query(
    `select count(*) as count from (select 1 from webhook_deliveries
       where merchant_id = $1 and webhook_subscription_id = $2 and (schedule_step > 0) = false
         and due_at >= $3 limit $4) counted`,
    [merchant_id, webhook_subscription_id, created_at, up_to],
    'count_backlog',
  );
  return Number(row?.count);
}
