import type { Db } from '../../../platform/database/db.ts';
import { keyOf, type RowKey } from '../../../platform/database/row-key.ts';
import { instantText, type Micros } from '../../../platform/time/clock.ts';

const PAGE = 200;

/** Pages of subscriptions with a billing time until `now`. */
export async function* dueSubscriptions(db: Db, now: Micros): AsyncGenerator<RowKey[]> {
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await db.query(
      `select merchant_id, id from payment_subscriptions
       where status = 'active' and due_at is not null and next_billing_at <= $1 and id > $2
       order by id limit ${PAGE}`,
      [instantText(now), last],
    );
    if (rows.length === 0) return;
    last = rows.at(-1)?.id as string;
    yield rows.map(keyOf);
  }
}
