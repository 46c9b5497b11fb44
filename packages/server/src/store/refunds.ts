import type { Db } from './db.ts';
import type { Row } from './row.ts';
import { keyText, type RowKey } from './transition.ts';

/** What can be given back of a payment. */
export interface Refundable {
  /** Minor units that refunds have taken or reserved: all but those of refunds that failed. */
  readonly reserved_cents: number;
  /** The attempt that charged the card; absent where none did. */
  readonly authorisation_id?: string;
}

/**
 * By payment, as if the refunds `except` were not there. What is reserved holds only as long as the caller
 * keeps the payments locked.
 */
export async function refundablesOf(
  tx: Db,
  payments: readonly RowKey[],
  except: readonly string[] = [],
): Promise<ReadonlyMap<string, Refundable>> {
  const rows = await tx.query(
    `select k.merchant_id, k.id,
       (select coalesce(sum(r.amount_cents), 0) from refund_demands r where r.merchant_id = k.merchant_id
          and r.payment_demand_id = k.id and r.status <> 'failed'
          and r.id <> all ($3::uuid[])) as reserved_cents,
       (select a.id from attempts a where a.merchant_id = k.merchant_id and a.payment_demand_id = k.id
          and a.operation = 'authorise' and a.status = 'approved') as authorisation_id
     from unnest($1::uuid[], $2::uuid[]) as k (merchant_id, id)`,
    [payments.map(({ merchant_id }) => merchant_id), payments.map(({ id }) => id), except],
    'refundables',
  );
  return new Map(rows.map((row) => [keyText(row), refundable(row)]));
}

const refundable = ({ reserved_cents, authorisation_id }: Row): Refundable => ({
  reserved_cents: Number(reserved_cents),
  ...(authorisation_id && { authorisation_id }),
});
