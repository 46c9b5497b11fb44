import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** Billing policies by merchant. */
export async function billingPoliciesOf(
  db: Db,
  merchants: readonly string[],
): Promise<ReadonlyMap<string, Row>> {
  const rows = await db.query(
    `select id, dunning_days, dunning_final_action, missed_periods from merchants
     where id = any ($1::uuid[])`,
    [[...new Set(merchants)]],
    'billing_policies',
  );
  return new Map(rows.map((row) => [row.id as string, row]));
}
