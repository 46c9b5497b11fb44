import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { RowKey } from '../../platform/database/row-key.ts';
import { type ClaimScope, withinSql } from '../../platform/database/within.ts';

/** Finds a link by the secret code of its address. The code determines the scope. */
export async function findLink(db: Db, code: string): Promise<Row | undefined> {
  const [row] = await db.query(
    'select * from payment_links where code = $1',
    [code],
    'find_payment_link',
  );
  return row;
}

/** Names, colour and logo of a merchant that payers see. */
export async function findSeller(db: Db, merchant_id: string): Promise<Row | undefined> {
  const [row] = await db.query(
    'select business_name, brand_name, brand_color, document_logo_id from merchants where id = $1',
    [merchant_id],
    'find_seller',
  );
  return row;
}

/**
 * Whether a payment may use the link. An advisory lock makes other payments wait until the
 * transaction ends. A row lock would also block the recording of outcomes, which updates the link.
 */
export async function countUse(tx: Db, key: RowKey): Promise<boolean> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `payment_links ${key.merchant_id} ${key.id}`,
  ]);
  return hasUseLeft(tx, key);
}

/** Whether a link has a free use. Succeeded payments and payments in progress take one use each. */
export async function hasUseLeft(db: Db, { merchant_id, id }: RowKey): Promise<boolean> {
  const [row] = await db.query(
    `select l.uses_max is null or l.uses_max > l.uses_count + (
       select count(*) from payment_demands d
       where d.merchant_id = l.merchant_id and d.payment_link_id = l.id
         and d.succeeded_at is null and d.status in ('pending', 'processing', 'authorised')) as left
     from payment_links l where l.merchant_id = $1 and l.id = $2`,
    [merchant_id, id],
    'payment_link_has_use',
  );
  return row?.left === 't';
}

/** SQL condition by table: the purchase takes no card any more. */
const ENDED = {
  payment_demands: `succeeded_at is not null or status = 'canceled'`,
  payment_subscriptions: `last_active_at is not null or status = 'cancelled'`,
} as const;

/** Counts the purchases of a link that were paid or canceled. */
export async function countEndedPurchases(
  db: Db,
  table: keyof typeof ENDED,
  { merchant_id, id }: RowKey,
): Promise<number> {
  const [row] = await db.query(
    `select count(*) as ended from ${table}
     where merchant_id = $1 and payment_link_id = $2 and (${ENDED[table]})`,
    [merchant_id, id],
    `count_ended_${table}`,
  );
  return Number(row?.ended);
}

/** Finds the purchase of a link with a reference, unless it was paid or canceled. */
export async function findOpenPurchase(
  db: Db,
  table: keyof typeof ENDED,
  { merchant_id, id }: RowKey,
  purchase_reference: string,
): Promise<string | undefined> {
  const [row] = await db.query(
    `select id from ${table} where merchant_id = $1 and payment_link_id = $2
       and purchase_reference = $3 and not (${ENDED[table]}) order by created_at limit 1`,
    [merchant_id, id, purchase_reference],
    `find_open_${table}`,
  );
  return row?.id ?? undefined;
}

/** Locks overdue links, oldest first. Skips links that are already locked. */
export function lockOverdueLinks(
  tx: Db,
  now: string,
  limit: number,
  within?: ClaimScope,
): Promise<Row[]> {
  const scopeFilter = withinSql('payment_links', within, 3);
  return tx.query(
    `select * from payment_links t where status = 'active' and expires_at <= $1 and ${scopeFilter.sql}
     order by expires_at limit $2 for no key update skip locked`,
    [now, limit, ...scopeFilter.values],
    `lock_overdue_links${scopeFilter.name}`,
  );
}
