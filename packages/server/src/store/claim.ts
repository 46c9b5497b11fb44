import type { Db } from './db.ts';
import type { Row } from './row.ts';

export interface ClaimOptions {
  readonly table: string;
  readonly now: string;
  /** Until then the claimed rows are nobody else's. A process that dies simply lets the lease run out. */
  readonly lease_until: string;
  readonly limit: number;
}

/**
 * Claims rows whose `due_at` has come, oldest first, by moving it to the end of a lease. Two workers
 * never get the same row: rows that another one is claiming are skipped.
 */
export function claimDue(db: Db, { table, now, lease_until, limit }: ClaimOptions): Promise<Row[]> {
  return db.query(
    `with due as materialized (select merchant_id, id from ${table} where due_at <= $1
       order by due_at limit $3 for update skip locked)
     update ${table} t set due_at = $2 from due
     where t.merchant_id = due.merchant_id and t.id = due.id
     returning t.*`,
    [now, lease_until, limit],
    `claim_${table}`,
  );
}

/** Locks due rows for work that the caller's own transaction completes, so that no lease is needed. */
export const lockDue = (
  tx: Db,
  { table, now, limit }: Omit<ClaimOptions, 'lease_until'>,
): Promise<Row[]> =>
  tx.query(
    `select * from ${table} where due_at <= $1 order by due_at limit $2 for update skip locked`,
    [now, limit],
    `lock_due_${table}`,
  );
