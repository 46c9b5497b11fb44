import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** Tables whose due rows move money. */
export type MoneyTable =
  | 'payment_subscriptions'
  | 'payment_demands'
  | 'refund_demands'
  | 'capture_demands';

/** The first due rows of a table at `now`, the oldest first. */
export const listDueRecords = (
  db: Db,
  table: MoneyTable,
  now: string,
  limit: number,
): Promise<Row[]> =>
  db.query(
    `select mode, merchant_id, id, due_at from ${table} where due_at <= $1 order by due_at, id limit $2`,
    [now, limit],
  );
