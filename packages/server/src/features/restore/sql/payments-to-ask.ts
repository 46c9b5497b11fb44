import type { Db } from '../../../platform/database/db.ts';
import { keyOf, type RowKey } from '../../../platform/database/row-key.ts';

const PAGE = 200;
/** Age of payments that a payer may have continued after the restored time. */
const CONTINUED_DAYS = 8;

/**
 * Pages of payments that may have been sent after the restored time. Due ones, failing charges of subscriptions, and recent
 * ones that a payer could continue.
 */
export async function* paymentsToAsk(db: Db, restored_to: string): AsyncGenerator<RowKey[]> {
  yield* pagesOf(
    await db.query(
      `select merchant_id, id from payment_demands where due_at is not null and status = 'pending'
       union
       select p.merchant_id, p.id from payment_subscriptions s
       join payment_demands p on p.merchant_id = s.merchant_id and p.id = s.past_due_charge_id
       where s.past_due_since is not null and p.status = 'failed'`,
      [],
    ),
  );
  const merchants = await db.query('select id from merchants order by id', []);
  for (const { id } of merchants)
    yield* pagesOf(
      await db.query(
        `select merchant_id, id from payment_demands
         where merchant_id = $1 and mode in ('live', 'sandbox') and status in ('incomplete', 'ready', 'failed')
           and created_at > $2::timestamptz - interval '${CONTINUED_DAYS} days'`,
        [id as string, restored_to],
      ),
    );
}

function* pagesOf(rows: readonly Parameters<typeof keyOf>[0][]): Generator<RowKey[]> {
  for (let at = 0; at < rows.length; at += PAGE) yield rows.slice(at, at + PAGE).map(keyOf);
}
