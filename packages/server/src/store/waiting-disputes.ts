import type { Db } from './db.ts';
import { IS_UNDECIDED, type NewsSource } from './disputes.ts';
import type { Row } from './row.ts';

/** Rows that are taken up again at once. */
const TAKEN_MAX = 100;

/** Keeps what a processor told of a dispute; later news of the same dispute take its place. */
export async function keepWaiting(tx: Db, source: NewsSource, news: Row): Promise<void> {
  await tx.query(
    `insert into waiting_disputes (processor, mode, reference, position, attempt_id, reason, amount_cents,
       amount_currency, status, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (processor, mode, reference) do update set position = excluded.position, status = excluded.status`,
    [
      source.processor,
      source.mode,
      news.reference,
      news.position,
      news.attempt_id,
      news.reason,
      news.amount_cents,
      news.amount_currency,
      news.status,
      news.created_at,
    ],
    'keep_waiting_dispute',
  );
}

/** Those whose payments have an outcome by now, in the order in which they were told of. */
export const decidedDisputes = (db: Db, { processor, mode }: NewsSource): Promise<Row[]> =>
  db.query(
    `select w.* from waiting_disputes w where w.processor = $1 and w.mode = $2 and not exists (
       select from attempts a join payment_demands p on p.merchant_id = a.merchant_id and p.id = a.payment_demand_id
       where a.id = w.attempt_id and a.operation = 'authorise' and ${IS_UNDECIDED})
     order by w.position limit ${TAKEN_MAX}`,
    [processor, mode],
    'decided_disputes',
  );

export async function forgetWaiting(
  tx: Db,
  { processor, mode }: NewsSource,
  reference: string,
): Promise<void> {
  await tx.query(
    'delete from waiting_disputes where processor = $1 and mode = $2 and reference = $3',
    [processor, mode, reference],
    'forget_waiting_dispute',
  );
}
