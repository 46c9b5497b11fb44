import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** Map key of a fee plan: merchant and currency. */
export const feePlanKey = ({ merchant_id, amount_currency }: Row): string =>
  `${merchant_id} ${amount_currency}`;

/** Fee plans of merchants that have their own, by merchant and currency. */
export async function findFeePlans(
  tx: Db,
  merchant_ids: readonly string[],
): Promise<ReadonlyMap<string, Row>> {
  const rows = await tx.query(
    'select * from fee_plans where merchant_id = any ($1::uuid[])',
    [[...new Set(merchant_ids)]],
    'fee_plans',
  );
  return new Map(rows.map((row) => [feePlanKey(row), row]));
}
