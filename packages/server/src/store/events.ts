import type { Catalog } from './catalog.ts';
import { recordset } from './catalog.ts';
import type { Db } from './db.ts';
import type { Row } from './row.ts';

/** A fact about one resource, written in the transaction of the change it tells of. */
export interface NewEvent {
  readonly id: string;
  readonly merchant_id: string;
  readonly mode: string;
  /** Such as `transaction.payment_demands`. */
  readonly resource_type: string;
  readonly resource_id: string;
  readonly slug: string;
  /** JSON text: the resource as it is after the change. */
  readonly data: string;
  readonly created_at: string;
}

export const eventRow = (event: NewEvent): Row => ({ ...event });

/**
 * CTEs that store the rows of `source` as events and give each active subscription that asked for
 * the event its delivery, due at once.
 */
export const eventCtes = (source: string): string => `
  facts as (
    insert into events (merchant_id, mode, id, resource_type, resource_id, slug, data, created_at)
    select merchant_id, mode, id, resource_type, resource_id, slug, data, created_at from ${source}
    returning merchant_id, mode, id, resource_type, slug, created_at
  ),
  fan_out as (
    insert into webhook_deliveries
      (merchant_id, mode, id, event_id, webhook_subscription_id, status, due_at, created_at, updated_at)
    select f.merchant_id, f.mode, uuid7(f.created_at), f.id, s.id, 'pending',
      f.created_at, f.created_at, f.created_at
    from facts f
    join webhook_subscriptions s on s.merchant_id = f.merchant_id and s.mode = f.mode
      and s.status = 'active' and s.events ? (f.resource_type || '.' || f.slug)
    returning 1
  )`;

/** Stores events and their deliveries in the caller's transaction. */
export async function writeEvents(
  tx: Db,
  catalog: Catalog,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await tx.query(
    `with news as (select * from json_populate_recordset(null::events, $1::json)),
     ${eventCtes('news')} select count(*) from fan_out`,
    [recordset(catalog('events'), events.map(eventRow))],
    'write_events',
  );
}
