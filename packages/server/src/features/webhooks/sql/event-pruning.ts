import type { Db } from '../../../platform/database/db.ts';
import { notStopped } from '../../../platform/database/installation/stopped.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyColumns, type RowKey } from '../../../platform/database/row-key.ts';

/** Allows the transaction to delete events, which the database otherwise refuses. */
export const allowPruning = (tx: Db): Promise<unknown> =>
  tx.query(`select set_config('florin.prunes_events', 'on', true)`, [], 'allow_event_pruning');

/** Events to look for: of merchants beyond `after` up to `through`, made and stored by `until`. */
export interface OldEvents {
  readonly after: string;
  readonly through: string;
  readonly until: string;
  /** A delivery that changed after this instant keeps its event. */
  readonly changed_until: string;
  readonly limit: number;
}

/**
 * Locks old events without pending or lately changed deliveries, the oldest of each merchant and mode first. Looks at
 * `limit` events of each, so that events which have to wait cost no more than a slice.
 */
export const lockOldEvents = (
  tx: Db,
  { after, through, until, changed_until, limit }: OldEvents,
): Promise<Row[]> =>
  tx.query(
    `select e.* from merchants m cross join (values ('live'), ('sandbox')) as modes (mode)
     cross join lateral (
       select c.merchant_id, c.id from (
         select t.merchant_id, t.id, t.recorded_at from events t
         where t.merchant_id = m.id and t.mode = modes.mode and t.created_at <= $3
         order by t.created_at, t.id limit $5 for update skip locked) c
       where c.recorded_at <= $3 and not exists (select from webhook_deliveries d
         where d.merchant_id = c.merchant_id and d.event_id = c.id
           and (d.status = 'pending' or d.updated_at > $4))) e
     where m.id > $1 and m.id <= $2 and ${notStopped('m.id')} limit $5`,
    [after, through, until, changed_until, limit],
    'old_events',
  );

/** Locks the deliveries of events that have ended. Skips deliveries that are being sent again. */
export const lockEndedDeliveries = (tx: Db, events: readonly RowKey[]): Promise<Row[]> =>
  tx.query(
    `select d.merchant_id, d.id from webhook_deliveries d
     where (d.merchant_id, d.event_id) in (select * from unnest($1::uuid[], $2::uuid[]))
       and d.status <> 'pending' order by d.merchant_id, d.id for update skip locked`,
    keyColumns(events),
    'ended_deliveries',
  );

/** Deletes locked deliveries with their attempts. */
export async function deleteDeliveries(tx: Db, deliveries: readonly RowKey[]): Promise<void> {
  const keys = keyColumns(deliveries);
  await tx.query(
    `delete from webhook_delivery_attempts
     where (merchant_id, webhook_delivery_id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    keys,
    'delete_attempts_of_deliveries',
  );
  await tx.query(
    `delete from webhook_deliveries where (merchant_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    keys,
    'delete_deliveries',
  );
}

/** Deletes those of the locked events that have no delivery any more. Returns them. */
export const deleteEvents = (tx: Db, events: readonly RowKey[]): Promise<Row[]> =>
  tx.query(
    `delete from events e
     where (e.merchant_id, e.id) in (select * from unnest($1::uuid[], $2::uuid[]))
       and not exists (select from webhook_deliveries d where d.merchant_id = e.merchant_id and d.event_id = e.id)
     returning e.merchant_id, e.mode, e.resource_id, e.sequence`,
    keyColumns(events),
    'delete_events',
  );

/**
 * Stores the last sequence of records whose newest event is deleted, so that their next event continues it. A concurrent
 * transaction that deletes a newer event stores that one's sequence.
 */
export async function storeSequences(tx: Db, deletedEvents: readonly Row[]): Promise<void> {
  await tx.query(
    `with ended as materialized (select d.merchant_id, d.mode, d.resource_id, max(d.sequence)
     from unnest($1::uuid[], $2::text[], $3::uuid[], $4::int[]) as d (merchant_id, mode, resource_id, sequence)
     where not exists (select from events e where e.merchant_id = d.merchant_id and e.resource_id = d.resource_id
       and e.sequence > d.sequence)
     group by d.merchant_id, d.mode, d.resource_id order by 1, 2, 3)
     insert into pruned_sequences (merchant_id, mode, resource_id, sequence) select * from ended
     on conflict (merchant_id, mode, resource_id)
       do update set sequence = greatest(pruned_sequences.sequence, excluded.sequence)`,
    ['merchant_id', 'mode', 'resource_id', 'sequence'].map((name) =>
      deletedEvents.map((row) => row[name]),
    ),
    'store_sequences',
  );
}
