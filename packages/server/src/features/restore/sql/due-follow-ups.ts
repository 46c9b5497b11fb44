import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { BATCH_MAX, batchesOf } from './batches.ts';

/** Batches of the refunds or captures that a restored installation would send. */
export const dueFollowUps = (
  db: Db,
  table: 'capture_demands' | 'refund_demands',
): AsyncGenerator<Row[]> =>
  batchesOf((after) =>
    db.query(
      `select * from ${table} where due_at is not null and status = 'pending' and id > $1
       order by id limit ${BATCH_MAX}`,
      [after],
      `restore_due_${table}`,
    ),
  );
