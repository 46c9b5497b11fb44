import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { BATCH_MAX, batchesOf } from './batches.ts';

/**
 * Batches of messages without an outcome that Florin finds out itself. With authorisations that belonged to an operator at
 * the restored time, who may have ended them since.
 */
export const openAttempts = (db: Db): AsyncGenerator<Row[]> =>
  batchesOf((after) =>
    db.query(
      `select * from attempts
       where id > $1 and (due_at is not null or operation = 'authorise' and recovered_at is null)
         and (status in ('sending', 'unknown') or status = 'reversing' and operation = 'authorise')
       order by id limit ${BATCH_MAX}`,
      [after],
      'restore_open_attempts',
    ),
  );
