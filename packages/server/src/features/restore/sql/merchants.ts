import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { BATCH_MAX, batchesOf } from './batches.ts';

/** Batches of ids of all merchants. */
export const merchantsOf = (db: Db): AsyncGenerator<Row[]> =>
  batchesOf((after) =>
    db.query(
      `select id from merchants where id > $1 order by id limit ${BATCH_MAX}`,
      [after],
      'restore_merchants',
    ),
  );
