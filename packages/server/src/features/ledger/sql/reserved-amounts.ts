import type { Db } from '../../../platform/database/db.ts';
import { keyColumns, keyText, type RowKey } from '../../../platform/database/row-key.ts';

/** Parts of a payment that refunds and disputes use, or may still use. Minor units. */
export interface ReservedAmounts {
  /** Refunds that have succeeded. */
  readonly refunded: number;
  /** Refunds without an outcome. */
  readonly reserved: number;
  /** Disputes without a decision. */
  readonly open: number;
  /** Lost disputes. */
  readonly lost: number;
}

/** Sums for one payment `p`; `ledger verify` checks the same. */
export const CLAIMS = `
  (select coalesce(sum(amount_cents) filter (where status = 'succeeded'), 0) as refunded,
     coalesce(sum(amount_cents) filter (where status in ('pending', 'processing')), 0) as reserved
   from refund_demands where merchant_id = p.merchant_id and payment_demand_id = p.id) r
  cross join lateral
  (select coalesce(sum(amount_cents) filter (where status not in ('won', 'lost')), 0) as open,
     coalesce(sum(amount_cents) filter (where status = 'lost'), 0) as lost
   from disputes where merchant_id = p.merchant_id and payment_demand_id = p.id) d`;

/**
 * Reserved amounts of each payment, by key. The caller has locked the payments, so that the amounts
 * cannot change.
 */
export async function reservedAmountsOf(
  tx: Db,
  payments: readonly RowKey[],
): Promise<ReadonlyMap<string, ReservedAmounts>> {
  const rows = await tx.query(
    `select p.*, r.*, d.* from unnest($1::uuid[], $2::uuid[]) as p (merchant_id, id) cross join lateral ${CLAIMS}`,
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
