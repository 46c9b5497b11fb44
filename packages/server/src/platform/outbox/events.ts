import type { Catalog } from '../database/catalog.ts';
import { recordsetOf } from '../database/catalog.ts';
import type { Db } from '../database/db.ts';
import type { Row } from '../database/row.ts';

/** A change of one resource, stored in the transaction of the change. */
export interface NewEvent {
  readonly id: string;
  readonly merchant_id: string;
  readonly mode: string;
  /** Group and type, such as `transaction.payment_demands`. */
  readonly resource_type: string;
  readonly resource_id: string;
  readonly slug: string;
  /** The resource after the change, as JSON text. */
  readonly data: string;
  readonly created_at: string;
}

const eventRow = ({ data: _, ...event }: NewEvent): Row => event;

/**
 * Query for event rows from the two parameters of `eventsInput`. Each resource is a separate line of JSON
 * text, so that PostgreSQL parses it only once.
 */
export const eventsFrom = (rows: string, data: string): string => `
  select merchant_id, mode, id, resource_type, resource_id, slug, data::jsonb as data, created_at
  from rows from (
    json_to_recordset(${rows}::json) as (merchant_id uuid, mode text, id uuid, resource_type text,
      resource_id uuid, slug text, created_at timestamptz),
    string_to_table(${data}, E'\\n')
  ) as e (merchant_id, mode, id, resource_type, resource_id, slug, created_at, data)`;

/** Parameters of `eventsFrom`. JSON text contains no line breaks. */
export const eventsInput = (catalog: Catalog, events: readonly NewEvent[]): [string, string] => [
  recordsetOf(catalog('events'), events.map(eventRow)),
  events.map(({ data }) => data).join('\n'),
];

/** Records of events: stored before, or by the statement that stores the events, so that they have no earlier ones. */
type EventRecords = 'stored' | 'new';

/** SQL: number of the last event of the record of `n`; 0 without one. */
const LAST_SEQUENCE = `coalesce(greatest((select max(b.sequence) from events b
    where b.merchant_id = n.merchant_id and b.resource_id = n.resource_id),
    (select s.sequence from pruned_sequences s
    where s.merchant_id = n.merchant_id and s.mode = n.mode and s.resource_id = n.resource_id)), 0)`;

/**
 * CTE that stores the rows of `source` as events. The caller has created or locked each record, so no other
 * transaction assigns the next `sequence`.
 */
const factsCte = (source: string, records: EventRecords): string => `
  facts as (
    insert into events
      (merchant_id, mode, id, resource_type, resource_id, sequence, slug, data, created_at)
    select merchant_id, mode, id, resource_type, resource_id,
      ${records === 'stored' ? LAST_SEQUENCE : '0'} + row_number() over (partition by merchant_id, resource_id order by created_at, id),
      slug, data, created_at from ${source} n
    returning merchant_id, mode, id, resource_type, resource_id, sequence, slug, created_at
  )`;

/**
 * CTEs that store the rows of `source` as events, and a due delivery for each webhook subscription that
 * listens. A paused subscription's deliveries wait until it is resumed.
 */
export const eventCtes = (source: string, records: EventRecords): string => `
  ${factsCte(source, records)},
  fan_out as (
    insert into webhook_deliveries
      (merchant_id, mode, id, event_id, webhook_subscription_id, status, due_at, order_key, sequence,
        created_at, updated_at)
    select f.merchant_id, f.mode, uuid7(f.created_at), f.id, s.id, 'pending', f.created_at,
      case s.ordering when 'resource' then f.resource_id end,
      case s.ordering when 'resource' then f.sequence end, f.created_at, f.created_at
    from facts f
    join webhook_subscriptions s on s.merchant_id = f.merchant_id and s.mode = f.mode
      and s.status <> 'archived' and s.events ?| array['*', split_part(f.resource_type, '.', 1) || '.*',
        f.resource_type || '.*', f.resource_type || '.' || f.slug]
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
    `with new_events as (${eventsFrom('$1', '$2')}),
     ${eventCtes('new_events', 'stored')} select count(*) from fan_out`,
    eventsInput(catalog, events),
    'write_events',
  );
}

/**
 * Stores one event in the caller's transaction, with a delivery only for this webhook subscription, even if
 * it does not listen to the event.
 */
export async function writeEventTo(
  tx: Db,
  catalog: Catalog,
  event: NewEvent,
  subscription_id: string,
): Promise<void> {
  await tx.query(
    `with new_events as (${eventsFrom('$1', '$2')}),
     ${factsCte('new_events', 'stored')}
     insert into webhook_deliveries
       (merchant_id, mode, id, event_id, webhook_subscription_id, status, due_at, created_at, updated_at)
     select merchant_id, mode, uuid7(created_at), id, $3, 'pending', created_at, created_at, created_at
     from facts`,
    [...eventsInput(catalog, [event]), subscription_id],
    'write_event_to',
  );
}
