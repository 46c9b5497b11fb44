import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { instantText, type Micros } from '../../../platform/time/clock.ts';
import { BATCH_MAX, batchesOf } from './batches.ts';

/** Batches of keys of subscriptions with a billing time until `now`. */
export const dueSubscriptions = (db: Db, now: Micros): AsyncGenerator<Row[]> =>
  batchesOf((after) =>
    db.query(
      `select merchant_id, id from payment_subscriptions
       where status = 'active' and due_at is not null and next_billing_at <= $1 and id > $2
       order by id limit ${BATCH_MAX}`,
      [instantText(now), after],
      'restore_due_subscriptions',
    ),
  );
