import type { Db } from '../../../platform/database/db.ts';
import { notStopped } from '../../../platform/database/installation/stopped.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyColumns, type RowKey } from '../../../platform/database/row-key.ts';
import { dueIn } from './timeline-work.ts';

/** Time of the latest change to any clock; undefined without clocks. */
export async function lastChange(db: Db): Promise<string | undefined> {
  const [row] = await db.query(
    'select updated_at from sandbox_clocks order by updated_at desc limit 1',
    [],
    'last_clock_change',
    'kept',
  );
  return row?.updated_at ?? undefined;
}

/**
 * All clocks of merchants with at least one advanced clock. Their other clocks are needed too,
 * because each takes its customer's rows out of the merchant's timeline.
 */
export const movedClocks = (db: Db): Promise<Row[]> =>
  db.query(
    `select merchant_id, id, customer_id, ahead_seconds, target_at from sandbox_clocks
     where status <> 'removed' and merchant_id in
       (select merchant_id from sandbox_clocks
        where (ahead_seconds > 0 or status = 'advancing') and status <> 'removed')`,
    [],
    'moved_clocks',
  );

/** Finds the clock of a merchant or of one of its customers; undefined if removed. */
export async function clockOf(
  db: Db,
  merchant_id: string,
  customer_id: string | null,
): Promise<Row | undefined> {
  const [row] = await db.query(
    `select * from sandbox_clocks
     where merchant_id = $1 and customer_id is not distinct from $2::uuid and status <> 'removed'`,
    [merchant_id, customer_id],
    'clock_of',
  );
  return row;
}

/**
 * Clocks among `keys` that can be removed without a change of time: they equal the merchant's
 * clock; if there is none, the system clock. Locks the merchant's clock.
 */
export const clocksInSync = (tx: Db, keys: readonly RowKey[]): Promise<Row[]> =>
  tx.query(
    `select c.id from sandbox_clocks c left join lateral (
       select o.ahead_seconds, o.status from sandbox_clocks o
       where c.customer_id is not null and o.merchant_id = c.merchant_id and o.customer_id is null
         and o.status <> 'removed' for share) m on true
     where (c.merchant_id, c.id) in (select * from unnest($1::uuid[], $2::uuid[]))
       and c.ahead_seconds = coalesce(m.ahead_seconds, 0) and m.status is distinct from 'advancing'`,
    keyColumns(keys),
    'clocks_in_step',
  );

export interface Lease {
  /** Process that runs the timeline. */
  readonly holder: string;
  /** Length of the lease, measured by the database's clock. */
  readonly lease_seconds: number;
}

interface ClockClaim {
  readonly now: string;
  readonly limit: number;
  /** Clocks that may be leased. */
  readonly keys: readonly RowKey[];
}

/**
 * Leases free clocks that have a target or due work. `now` is the system clock's time. Returns
 * their keys.
 */
export const leaseClocks = (
  db: Db,
  { holder, lease_seconds, now, limit, keys }: Lease & ClockClaim,
): Promise<Row[]> =>
  db.query(
    `with wanted as materialized (
       select c.merchant_id, c.id from sandbox_clocks c
       where (c.merchant_id, c.id) in (select * from unnest($5::uuid[], $6::uuid[]))
         and c.status <> 'removed' and ${notStopped('c.merchant_id')} and (c.held_until is null or c.held_until < statement_timestamp())
         and (c.status = 'advancing'
           or exists (${dueIn("$3::timestamptz + c.ahead_seconds * interval '1 second'")}))
       limit $4 for no key update of c skip locked)
     update sandbox_clocks c set held_by = $1, held_until = statement_timestamp() + $2 * interval '1 second'
     from wanted where c.merchant_id = wanted.merchant_id and c.id = wanted.id
     returning c.merchant_id, c.id`,
    [holder, lease_seconds, now, limit, ...keyColumns(keys)],
    'lease_clocks',
  );

/** Renews a process's leases. Returns the leases that it still has. */
export const renewLeases = (db: Db, { holder, lease_seconds }: Lease): Promise<Row[]> =>
  db.query(
    `update sandbox_clocks set held_until = statement_timestamp() + $2 * interval '1 second'
     where held_by = $1 and held_until >= statement_timestamp() and ${notStopped('merchant_id')} returning merchant_id, id`,
    [holder, lease_seconds],
    'renew_clock_leases',
  );

export const releaseClock = (
  db: Db,
  holder: string,
  { merchant_id, id }: RowKey,
): Promise<unknown> =>
  db.query(
    'update sandbox_clocks set held_by = null, held_until = null where merchant_id = $2 and id = $3 and held_by = $1',
    [holder, merchant_id, id],
    'release_clock',
  );
