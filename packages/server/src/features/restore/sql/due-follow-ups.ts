import type { Db } from '../../../platform/database/db.ts';
import { keyOf, type RowKey } from '../../../platform/database/row-key.ts';

/** Keys of the refunds or captures that a restored installation would send. */
export async function dueFollowUps(
  db: Db,
  table: 'capture_demands' | 'refund_demands',
): Promise<RowKey[]> {
  const rows = await db.query(
    `select merchant_id, id from ${table} where due_at is not null and status = 'pending' order by due_at`,
    [],
  );
  return rows.map(keyOf);
}
