import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyColumns, type RowKey } from '../../../platform/database/row-key.ts';
import { instantText, type Micros } from '../../../platform/time/clock.ts';

/** SQL: whether nobody has decided about a doubted authorisation. */
const IS_UNDECIDED = `a.doubted_at is not null and a.status = 'approved'
  and (a.doubt_decided_at is null or a.doubt_decided_at < a.doubted_at)`;

/**
 * Whether a person may decide about an approved authorisation: nobody has after this restore. Without a doubt, the
 * installation must be closed, and the authorisation at an account, whose own list may show a change.
 */
export function isDecidable(
  { doubted_at, doubt_decided_at, status, processor_account_id }: Row,
  restored_to: string | undefined,
): boolean {
  const begun_at = doubted_at ?? (processor_account_id ? restored_to : undefined);
  if (status !== 'approved' || !begun_at) return false;
  return doubt_decided_at == null || Date.parse(doubt_decided_at) < Date.parse(begun_at);
}

/** Marks an authorisation whose changes nobody can tell, unless a person decided about it after this restore. */
export const markDoubted = (
  db: Db,
  { merchant_id, id }: RowKey,
  { at, restored_to }: { readonly at: Micros; readonly restored_to: string },
): Promise<Row[]> =>
  db.query(
    `update attempts set doubted_at = $3 where merchant_id = $1 and id = $2
       and (doubt_decided_at is null or doubt_decided_at < $4) returning id`,
    [merchant_id, id, instantText(at), restored_to],
    'restore_mark_doubted',
  );

/** Ends the doubt about authorisations whose processor has told everything. */
export const clearDoubts = (db: Db, keys: readonly RowKey[]): Promise<Row[]> =>
  db.query(
    `update attempts a set doubted_at = null from unnest($1::uuid[], $2::uuid[]) as k (merchant_id, id)
     where a.merchant_id = k.merchant_id and a.id = k.id and a.doubted_at is not null`,
    keyColumns(keys),
    'restore_clear_doubts',
  );

/** Stores that a person decided about a doubted authorisation. */
export const decideDoubt = (tx: Db, { merchant_id, id }: RowKey, at: Micros): Promise<Row[]> =>
  tx.query(
    'update attempts set doubt_decided_at = greatest($3::timestamptz, doubted_at) where merchant_id = $1 and id = $2',
    [merchant_id, id, instantText(at)],
    'restore_decide_doubt',
  );

/** A capture or refund of a payment that Florin will send, or whose outcome it will find out; undefined if there is none. */
export async function findOnItsWay(tx: Db, { merchant_id, id }: RowKey): Promise<Row | undefined> {
  const [row] = await tx.query(
    `select 'capture' as kind, id from capture_demands
       where merchant_id = $1 and payment_demand_id = $2 and status in ('pending', 'processing')
     union all
     select 'refund', id from refund_demands
       where merchant_id = $1 and payment_demand_id = $2 and status in ('pending', 'processing')
     limit 1`,
    [merchant_id, id],
    'restore_on_its_way',
  );
  return row;
}

/** Number of doubted authorisations that nobody has decided about. */
export async function countDoubts(db: Db): Promise<number> {
  const [row] = await db.query(
    `select count(*) as number from attempts a where ${IS_UNDECIDED}`,
    [],
  );
  return Number(row?.number);
}

/** Doubted authorisations that a person must decide about, the oldest first. */
export const listDoubts = (db: Db, limit: number): Promise<Row[]> =>
  db.query(
    `select a.mode, a.id, a.merchant_id, a.payment_demand_id, a.amount_cents, a.amount_currency, a.processor,
       p.status, p.amount_captured_cents, p.amount_refundable_cents, c.name as account
     from attempts a
     join payment_demands p on p.merchant_id = a.merchant_id and p.id = a.payment_demand_id
     left join processor_accounts c on c.id = a.processor_account_id
     where ${IS_UNDECIDED} order by a.doubted_at, a.id limit $1`,
    [limit],
  );
