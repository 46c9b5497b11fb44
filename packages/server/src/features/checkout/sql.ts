import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { MountSession } from './session.ts';

/** Counting stops at this number of approvals: merchants with more have no further limit. */
const PROVEN_MAX = 20_000;

/** Approved payments of present payers, and active subscriptions, that began since this time. */
export async function countProven(
  db: Db,
  { merchant_id, mode }: Scope,
  since: string,
): Promise<number> {
  const [row] = await db.query(
    `select count(*) as number from (
       select 1 from payment_demands where merchant_id = $1 and mode = $2 and created_at > $3
         and initiator = 'customer' and amount_authorised_cents > 0
       union all
       select 1 from payment_subscriptions where merchant_id = $1 and mode = $2 and created_at > $3
         and status = 'active'
       limit ${PROVEN_MAX}) proven`,
    [merchant_id, mode, since],
    'count_proven',
  );
  return Number(row?.number ?? 0);
}

/** Whether the payer of a mounted form has paid the merchant before. */
export async function isPayerKnown(
  db: Db,
  { scope: { merchant_id, mode }, payment_id }: MountSession,
): Promise<boolean> {
  const rows = await db.query(
    `select 1 from (select payer_id from payment_demands where merchant_id = $1 and mode = $2 and id = $3
         union all select payer_id from payment_subscriptions where merchant_id = $1 and mode = $2 and id = $3) payer
       cross join lateral (select 1 from payment_demands p where p.merchant_id = $1 and p.mode = $2
         and p.payer_id = payer.payer_id and p.succeeded_at is not null limit 1) paid limit 1`,
    [merchant_id, mode, payment_id],
    'is_payer_known',
  );
  return rows.length > 0;
}

/** Counters of the forms in which the cards of these payments were entered. */
export const findTryCounters = (tx: Db, payments: readonly Row[]): Promise<Row[]> =>
  tx.query(
    `select a.try_counters from unnest($1::uuid[], $2::uuid[]) as p (merchant_id, payment_method_id)
       cross join lateral (select try_counters from authentications
         where merchant_id = p.merchant_id and payment_method_id = p.payment_method_id
           and try_counters is not null
         order by asked_at desc limit 1) a`,
    [
      payments.map(({ merchant_id }) => merchant_id),
      payments.map(({ payment_method_id }) => payment_method_id),
    ],
    'find_try_counters',
  );
