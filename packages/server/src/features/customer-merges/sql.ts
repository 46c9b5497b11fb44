import type { Db } from '../../platform/database/db.ts';
import { keyOf, type RowKey } from '../../platform/database/row-key.ts';
import type { MovedKind } from './moved-kinds.ts';

/**
 * SQL: ids of at most `$3` records of the customer `$2` of merchant `$1`, since `$4`. One index lookup per column, each
 * with the limit, so that no statement reads all records of a customer.
 */
function idsSql({ table, columns, recent_s }: MovedKind): string {
  const since = recent_s ? 'and created_at >= $4' : 'and $4::timestamptz is not null';
  const parts = columns.map(
    (column) =>
      `(select merchant_id, id from ${table} where merchant_id = $1 and ${column} = $2 ${since} limit $3)`,
  );
  return `select merchant_id, id from (${parts.join(' union ')}) ids limit $3`;
}

/** Keys of at most `limit` records of a customer, in no order. Locks nothing. */
export async function findRecordsOf(
  db: Db,
  kind: MovedKind,
  { merchant_id, id }: RowKey,
  limit: number,
  since: string,
): Promise<RowKey[]> {
  const values = [merchant_id, id, limit, since];
  return (await db.query(idsSql(kind), values, `records_of_customer_${kind.table}`)).map(keyOf);
}

/** Number of records of a customer, counted up to `limit`. */
export async function countRecordsOf(
  db: Db,
  kind: MovedKind,
  { merchant_id, id }: RowKey,
  limit: number,
  since: string,
): Promise<number> {
  const [row] = await db.query(
    `select count(*) as count from (${idsSql(kind)}) counted`,
    [merchant_id, id, limit, since],
    `count_of_customer_${kind.table}`,
  );
  return Number(row?.count);
}

/** Number of usable cards of `source` that `target` has too, by the number's fingerprint, among `limit` cards of each. */
export async function countDuplicateCards(
  db: Db,
  merchant_id: string,
  source: string,
  target: string,
  limit: number,
): Promise<number> {
  const cardsOf = (customer: string) => `(select card_fingerprint from payment_methods
    where merchant_id = $1 and customer_id = ${customer} and discarded_at is null limit $4)`;
  const [row] = await db.query(
    `select count(*) as count from ${cardsOf('$2')} own
     where own.card_fingerprint in ${cardsOf('$3')}`,
    [merchant_id, source, target, limit],
    'count_duplicate_cards',
  );
  return Number(row?.count);
}

/** Customers who were merged into this one: at most `limit`. */
export async function findMergedInto(
  db: Db,
  { merchant_id, id }: RowKey,
  limit: number,
): Promise<RowKey[]> {
  const rows = await db.query(
    `select merchant_id, id from customers where merchant_id = $1 and merged_into_id = $2
     order by id limit $3`,
    [merchant_id, id, limit],
    'merged_into',
  );
  return rows.map(keyOf);
}

/** Whether one of these customers has a sandbox clock of its own. */
export async function hasOwnClock(
  db: Db,
  merchant_id: string,
  customers: readonly string[],
): Promise<boolean> {
  const [row] = await db.query(
    `select exists (select from sandbox_clocks
       where merchant_id = $1 and customer_id = any ($2::uuid[]) and status <> 'removed') as has`,
    [merchant_id, customers],
    'has_own_clock',
  );
  return row?.has === 't';
}
