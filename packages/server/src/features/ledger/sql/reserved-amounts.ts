import type { Db } from '../../../platform/database/db.ts';
import { keyColumns, keyText, type RowKey } from '../../../platform/database/row-key.ts';

/** Parts of a payment that refunds and disputes use or may use, in minor units. */
export interface ReservedAmounts {
  /** Sum of refunds that succeeded. */
  readonly refunded: number;
  /** Sum of refunds without an outcome. */
  readonly reserved: number;
  /** Sum of disputes without a decision. */
  readonly open: number;
  /** Sum of lost disputes. */
  readonly lost: number;
}

/** SQL: sums for one payment `p`. `ledger verify` uses them too. */
export const RESERVED_AMOUNTS = `
  (select coalesce(sum(amount_cents) filter (where status = 'succeeded'), 0) as refunded,
     coalesce(sum(amount_cents) filter (where status in ('pending', 'processing')), 0) as reserved
   from refund_demands where merchant_id = p.merchant_id and payment_demand_id = p.id) r
  cross join lateral
  (select coalesce(sum(amount_cents) filter (where status not in ('won', 'lost')), 0) as open,
     coalesce(sum(amount_cents) filter (where status = 'lost'), 0) as lost
   from disputes where merchant_id = p.merchant_id and payment_demand_id = p.id) d`;

/**
 * Reserved amounts of payments by key. The caller must lock the payments first, so that the amounts
 * stay the same.
 */
export async function findReservedAmounts(
  tx: Db,
  payments: readonly RowKey[],
): Promise<ReadonlyMap<string, ReservedAmounts>> {
  const rows = await tx.query(
    `select p.*, r.*, d.* from unnest($1::uuid[], $2::uuid[]) as p (merchant_id, id) cross join lateral ${RESERVED_AMOUNTS}`,
    keyColumns(payments),
    'payment_claims',
  );
  return new Map(
    rows.map((row) => [
      keyText(row),
      {
        refunded: Number(row.refunded),
        reserved: Number(row.reserved),
        open: Number(row.open),
        lost: Number(row.lost),
      },
    ]),
  );
}
