import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { Db } from '../database/db.ts';
import type { Row } from '../database/row.ts';
import { type ClaimScope, withinSql } from '../database/within.ts';
import { shuffledBy, shuffleSeed } from './shuffle.ts';

export interface ClaimOptions {
  readonly table: string;
  readonly now: string;
  /**
   * End of the claim's lease. If the process dies, other processes may claim the rows afterwards.
   */
  readonly lease_until: string;
  readonly limit: number;
  /** Restricts the rows; absent: all rows. */
  readonly within?: ClaimScope | undefined;
  /** Mode of the rows; absent: both modes. */
  readonly mode?: Mode | undefined;
}

/**
 * Claims due rows, oldest first, by moving `due_at` to the end of the lease. Skips rows that another worker
 * is claiming, so no row is claimed twice.
 */
export function claimDue(
  db: Db,
  { table, now, lease_until, limit, within, mode }: ClaimOptions,
): Promise<Row[]> {
  const scopeSql = withinSql(table, within, 4);
  const modeCondition = mode ? `t.mode = '${mode}'` : 'true';
  return db.query(
    `with due as materialized (select t.merchant_id, t.id from ${table} t
       where t.due_at <= $1 and ${modeCondition} and ${scopeSql.sql}
       order by t.due_at limit $3 for no key update skip locked)
     update ${table} t set due_at = $2 from due
     where t.merchant_id = due.merchant_id and t.id = due.id
     returning t.*`,
    [now, lease_until, limit, ...scopeSql.values],
    `claim_${table}${mode ? `_${mode}` : ''}${scopeSql.name}`,
    'kept',
  );
}

/** Limits of concurrent claimed work, per merchant and in total. */
export interface Allowance {
  readonly limit: number;
  /** Maximum per merchant. */
  readonly per_merchant: number;
  /** Number of claimed rows that each merchant has in flight. */
  readonly in_flight: ReadonlyMap<string, number>;
}

/**
 * Locks due rows for work that the caller's transaction completes, without a lease. Each merchant gets an
 * equal share of the limit, oldest rows first. Merchants come in random order, for fairness. Needs an index
 * on merchant and `due_at`.
 */
export function lockDue(
  tx: Db,
  {
    table,
    now,
    limit,
    per_merchant,
    in_flight,
    within,
  }: Allowance & Omit<ClaimOptions, 'lease_until'>,
): Promise<Row[]> {
  const due = sharedDue(table, within, 6);
  return tx.query(
    `with recursive ${due.sql} select * from due`,
    [now, limit, per_merchant, [...in_flight.keys()], [...in_flight.values()], ...due.values],
    `lock_due_${table}${due.name}`,
  );
}

/** Claims due rows like `claimDue`, with equal shares for merchants like `lockDue`, and the index that it needs. */
export function claimShared(
  db: Db,
  {
    table,
    now,
    lease_until,
    limit,
    per_merchant,
    in_flight,
    within,
  }: Allowance & Omit<ClaimOptions, 'mode'>,
): Promise<Row[]> {
  const due = sharedDue(table, within, 7);
  const in_flight_counts = [[...in_flight.keys()], [...in_flight.values()]];
  return db.query(
    `with recursive ${due.sql}
     update ${table} t set due_at = $6 from due
     where t.merchant_id = due.merchant_id and t.id = due.id
     returning t.*`,
    [now, limit, per_merchant, ...in_flight_counts, lease_until, ...due.values],
    `claim_shared_${table}${due.name}`,
    'kept',
  );
}

/**
 * SQL of `due`: locked due rows, an equal share for each merchant. `$1` to `$5` are the time, the limit, the maximum per
 * merchant, and merchants with their counts in flight. The seed of their order is `first`, and the scope's follow.
 */
function sharedDue(table: string, within: ClaimScope | undefined, first: number) {
  const scope = withinSql(table, within, first + 1);
  const ownersSql = coversAllMerchants(within)
    ? dueMerchantsSql(table)
    : `select $${first + 1}::uuid as merchant_id`;
  const sql = `owners as (${ownersSql}),
     turns as materialized (
       select o.merchant_id, ceil($2::numeric / count(*) over ())::int as part,
         greatest(0, $3::int - coalesce(f.in_flight, 0)) as room
       from owners o left join unnest($4::uuid[], $5::int[]) as f (merchant_id, in_flight) using (merchant_id)
       where o.merchant_id is not null order by ${shuffledBy('o.merchant_id', first)}
     ),
     due as materialized (select due.* from turns cross join lateral (
       select * from ${table} t where t.merchant_id = turns.merchant_id and t.due_at <= $1 and ${scope.sql}
       order by t.due_at limit least(turns.part, turns.room) for no key update skip locked
     ) due limit $2)`;
  return { ...scope, values: [shuffleSeed(), ...scope.values], sql };
}

/**
 * Same as `lockDue`, but oldest first across merchants: for tables whose rows nearly all become due. Needs an
 * index on `due_at`.
 */
export function lockOldest(
  tx: Db,
  { table, now, limit, within }: Pick<Allowance, 'limit'> & Omit<ClaimOptions, 'lease_until'>,
): Promise<Row[]> {
  const scopeSql = withinSql(table, within, 3);
  return tx.query(
    `select t.* from ${table} t where t.due_at <= $1 and ${scopeSql.sql}
     order by t.due_at limit $2 for no key update skip locked`,
    [now, limit, ...scopeSql.values],
    `lock_oldest_${table}${scopeSql.name}`,
  );
}

export const coversAllMerchants = (within: ClaimScope | undefined): boolean =>
  !within || within.of === 'default';

/** Query for merchants with due rows `t`, one index lookup per merchant. `condition` is a condition on the rows. */
export const dueMerchantsSql = (table: string, condition = 'true'): string => `
  (select t.merchant_id from ${table} t where ${condition} and t.due_at <= $1 order by t.merchant_id limit 1)
  union all
  select (select t.merchant_id from ${table} t
    where ${condition} and t.due_at <= $1 and t.merchant_id > o.merchant_id order by t.merchant_id limit 1)
  from owners o where o.merchant_id is not null`;
